// The zone of a joint as three rings about its bone: where its zone begins, at the joint, and
// where it is complete. The first moves with the joint's parent, the others with the joint.
#pragma once

#include "editor/pose/gizmo.h"
#include "rig/zones.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

enum class ZoneEnd { min, joint, max };

// A zone in bind space. A radius is that of the skin around the bone there.
struct ZoneShape {
  std::uint32_t joint = 0; // index of the rig's joint
  std::uint32_t parent = 0;
  BoneAxis axis;
  Zone zone;
  std::array<float, 3> radius{}; // indexed by ZoneEnd
};

// The rig's joint at a node that turns against a parent, and so has a zone. With several skins it
// is the first one's.
std::optional<std::uint32_t> zoneJoint(const Rig& rig, std::uint32_t node);

ZoneShape zoneShape(const Rig& rig, const BoneAxis& axis, const Zone& zone, std::uint32_t joint);

// The vertices that bend within the zone, ascending: most of their weight is the joint's and its
// parent's, and they are between the ends along the bone.
std::vector<std::uint32_t> zoneVertices(const Rig& rig, const ZoneShape& shape);

struct ZoneRing {
  vec3 center{0.0f};
  vec3 axis{0.0f, 1.0f, 0.0f}; // unit
  float radius = 1.0f;
  float scale = 1.0f; // model units a unit along the bone
};

// The rings in model space, indexed by ZoneEnd. modelFromNode: matrices of the pose.
std::array<ZoneRing, 3> posedRings(const ZoneShape& shape, const Rig& rig,
                                   std::span<const mat4> modelFromNode);

vec3 zoneRingPoint(const ZoneRing& ring, float angle);

// Returns min or max if its ring passes within `reach` pixels of the mouse.
std::optional<ZoneEnd> pickZoneRing(const std::array<ZoneRing, 3>& rings, const View& view,
                                    vec2 mouse, float reach);

// A ring dragged along its bone: what the mouse has moved it by, in the bone's unit.
struct ZoneDrag {
  ZoneEnd end = ZoneEnd::max;
  ZoneRing ring; // the ring at the start of the drag
  Zone zone;     // the zone at that time
  float start = 0.0f;
};
ZoneDrag startZoneDrag(const ZoneShape& shape, const std::array<ZoneRing, 3>& rings, ZoneEnd end,
                       const View& view, vec2 mouse);

// The dragged zone, within the limits of limitedZone(); unchanged where the bone is seen end on.
Zone dragZone(const ZoneDrag& drag, const BoneAxis& axis, const View& view, vec2 mouse);

// Limits the zone to the bones on either side, and to at least a hundredth of their lengths.
Zone limitedZone(const BoneAxis& axis, Zone zone);

} // namespace sinew
