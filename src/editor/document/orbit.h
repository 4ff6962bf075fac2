// Orbit, pan and zoom: how a mouse drag, a key or a click on an axis turns the camera.
//
// Yaw, pitch and distance live in Settings (so they can be given on the command line and shown in a
// panel); only where the camera looks at, apart from the middle of the framed box, is kept here.
#pragma once

#include "app/settings.h"
#include "core/bounds.h"
#include "model/hierarchy.h"
#include "view/camera.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sinew {

// A joint that the camera follows, because a close-up of it is shown.
struct FollowedJoint {
  std::uint32_t node = 0;
  std::string name;
  vec3 from{0.0f}; // where the joint was in the close-up
};

struct Orbit {
  Outline framed;                     // what is wholly visible at distance 1
  vec3 pan{0.0f};                     // vector from its centre to what the camera looks at
  std::optional<FollowedJoint> joint; // followed until something else is framed
};

Camera makeCamera(const Settings& settings, const Orbit& orbit, float aspect);

// dx, dy: share of the view's height the mouse moved, right and down.
void orbitBy(Settings& settings, float dx, float dy);
void panBy(Orbit& orbit, const Camera& camera, float dx, float dy);
void zoomBy(Settings& settings, float steps); // positive: nearer

// Zooms, but keeps in place what is drawn at dx, dy (from the view's middle, right and down, as a
// share of the view's height). Exact for what is as far away as the target.
void zoomTo(Settings& settings, Orbit& orbit, float aspect, float dx, float dy, float steps);

// Sets perspective or not. What is as far away as the target keeps its size.
void setProjection(Settings& settings, const Orbit& orbit, float aspect, Projection projection);

// Shows the whole outline from the same side.
void frame(Settings& settings, Orbit& orbit, const Outline& outline);

// Follows the joint of the same name, or none. Call it after the model has been replaced.
void followAgain(Orbit& orbit, const Hierarchy& hierarchy);

// Shows a sphere; what is framed stays the same.
void closeUp(Settings& settings, Orbit& orbit, const vec3& center, float radius);

// The axes in a corner of the picture: where their ends are seen, and what a click on one shows.
struct AxisEnd {
  int axis = 0; // x, y, z
  bool positive = true;
  vec2 at{0.0f};      // on the screen, right and down; length 1 where it is seen from the side
  float depth = 0.0f; // towards the eye
};

// The six ends, the farthest first. yaw and pitch in degrees, as in the settings.
std::array<AxisEnd, 6> axisEnds(float yaw, float pitch);

// The end nearest to the eye within `reach` of a place, in the same units.
std::optional<AxisEnd> axisEndAt(std::span<const AxisEnd> ends, const vec2& place, float reach);

// Looks at the model from that end; or from the other end if the camera is there already.
void lookFrom(Settings& settings, const AxisEnd& end);

} // namespace sinew
