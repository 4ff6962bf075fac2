// The gizmo and the zone's rings as coloured triangles and lines, always over the mesh.
#pragma once

#include "editor/pose/gizmo.h"
#include "editor/pose/zone_rings.h"
#include "view/overlay.h"

#include <optional>

namespace sinew {

struct GizmoStyle {
  std::optional<Grip> lit; // under the mouse or being dragged
  float pixels = 2.0f;     // width of a ring
  float dragged = 0.0f;    // radians: the pie from where a drag began; 0: none
  float from = 0.0f;       // the ring's angle there
};

void addRings(Overlay& overlay, const Gizmo& gizmo, const View& view, const GizmoStyle& style);
void addArrows(Overlay& overlay, const Gizmo& gizmo, const View& view, const GizmoStyle& style);
void addZone(Overlay& overlay, const std::array<ZoneRing, 3>& rings, const View& view,
             std::optional<ZoneEnd> lit, float pixels);

// The control points of a free spline, joined by straight lines, and its arc.
void addSpline(Overlay& overlay, const std::array<vec3, 3>& points, const View& view, bool lit,
               float pixels);

// A target of a layer: a dot in a ring, `pixels` its radius on screen.
void addTarget(Overlay& overlay, const vec3& place, const View& view, float pixels, bool lit,
               bool pole);

// A line of dashes, all as long on screen; `pixels` wide.
void addDashes(Overlay& overlay, const View& view, const vec3& a, const vec3& b, float pixels,
               bool pole);

// A line as wide on screen as given.
void addBand(Overlay& overlay, const View& view, const vec3& a, const vec3& b, float pixels,
             const glm::u8vec4& color);

} // namespace sinew
