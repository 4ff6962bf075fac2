// The handles of a joint in the view: three rings to turn it about its axes and one about the line
// of sight, or three arrows to move it. Pure geometry: what is under the mouse, and what a drag
// means. Pixels are counted from the view's upper left, as in screenFromWorld().
#pragma once

#include "view/view.h"

#include <array>
#include <optional>

namespace sinew {

struct Ray {
  vec3 origin{0.0f};
  vec3 direction{0.0f, 0.0f, -1.0f}; // unit
};
Ray rayAt(const View& view, vec2 pixel);

// A length at `place` that looks one pixel wide.
float unitsPerPixel(const View& view, const vec3& place);

// The ray's nearest point on the line through `origin` along the unit `direction`, as the distance
// from the origin. Nothing where the line is seen end on.
std::optional<float> nearestOnLine(const Ray& ray, const vec3& origin, const vec3& direction);

enum class Grip { x, y, z, screen };

struct Gizmo {
  vec3 center{0.0f};
  mat3 axes{1.0f};     // unit, in the columns
  float radius = 1.0f; // radius of the rings and length of the arrows; the screen's ring is wider
};

inline constexpr float kScreenRing = 1.18f; // radius of the screen's ring, in radii of the others

inline constexpr float kArrowHead = 0.16f; // head beyond the arrow, share of its length

// The radius on screen: `usual`, or less in a small view, so that handles do not hide the model.
float gizmoPixels(const Viewport& viewport, float usual);

// A gizmo of the same size on screen wherever the camera is.
Gizmo gizmoAt(const View& view, const vec3& center, const mat3& axes, float pixels);

// The unit axis that a handle turns about or moves along.
vec3 handleAxis(const Gizmo& gizmo, Grip handle, const View& view);
float handleRadius(const Gizmo& gizmo, Grip handle);

// The point of a ring at an angle, and whether it lies on the near side of the gizmo, which alone
// can be taken hold of.
struct RingPoint {
  vec3 place{0.0f};
  bool near = true;
};
RingPoint ringPoint(const Gizmo& gizmo, Grip handle, const View& view, float angle);

// The ring or arrow that passes within `reach` pixels of the mouse, the nearest first.
std::optional<Grip> pickRing(const Gizmo& gizmo, const View& view, vec2 mouse, float reach);
std::optional<Grip> pickArrow(const Gizmo& gizmo, const View& view, vec2 mouse, float reach);

// A ring being dragged. The angle follows the mouse around the ring's plane; a ring seen from its
// edge follows the mouse along it instead. Further than once around counts on.
struct RingDrag {
  Gizmo gizmo; // the gizmo at the start of the drag
  Grip handle = Grip::x;
  vec3 axis{0.0f, 0.0f, 1.0f};
  float angle = 0.0f; // total rotation so far, radians
  vec2 last{0.0f};    // last position of the mouse
  float from = 0.0f;  // the ring's angle at that point (ringPoint)
  bool edgeOn = false;
  vec2 along{1.0f, 0.0f}; // edge on: radians per pixel
};
RingDrag startRingDrag(const Gizmo& gizmo, Grip handle, const View& view, vec2 mouse);
void dragRing(RingDrag& drag, const View& view, vec2 mouse);

// An arrow being dragged: how far along its axis, in the model's unit.
struct ArrowDrag {
  Gizmo gizmo;
  Grip handle = Grip::x;
  vec3 axis{0.0f, 0.0f, 1.0f};
  vec3 start{0.0f}; // point where the mouse took hold
  vec3 moved{0.0f};
};
ArrowDrag startArrowDrag(const Gizmo& gizmo, Grip handle, const View& view, vec2 mouse);
void dragArrow(ArrowDrag& drag, const View& view, vec2 mouse);

// The nearest multiple of `step`.
float snapped(float value, float step);

} // namespace sinew
