// What the mouse does with the handles in the view, between two frames.
#pragma once

#include "editor/pose/gizmo.h"
#include "editor/pose/zone_rings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sinew {

// The target of a layer under the mouse, or dragged (target_tool.cpp).
struct TargetGrip {
  std::size_t layer = 0;
  bool pole = false;
  Grip handle = Grip::screen;
};

struct TargetTool {
  std::optional<TargetGrip> under;
  std::optional<ArrowDrag> drag;
  vec3 before{0.0f};    // the point, when the drag began
  std::size_t view = 0; // view where the drag began
  bool pressed = false; // the mouse button belongs to a target
};

struct ToolState {
  std::optional<std::uint32_t> about; // the node selected last: a new one chooses its tool
  std::optional<Grip> handle;         // the handle under the mouse, or dragged
  std::optional<ZoneEnd> end;         // the end of the zone under the mouse, or dragged
  std::optional<RingDrag> rotating;
  std::optional<ArrowDrag> moving;
  std::optional<ZoneDrag> widening;
  std::size_t view = 0; // view where the drag began
  Transform before;     // the joint's transform when the drag began
  Pose held;            // the whole pose at that time, if more than the joint rotates
  mat4 parent{1.0f};    // modelFromParent at that time
  std::string readout;  // text beside the mouse while dragging
  bool pressed = false; // the mouse button belongs to the tool
  bool brush = false;   // the mouse button belongs to the brush
  TargetTool targets;
  std::uint64_t discards = 0; // Document::discards when last seen
};

} // namespace sinew
