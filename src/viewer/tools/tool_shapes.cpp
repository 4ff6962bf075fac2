#include "viewer/tools/tool_shapes.h"

#include "skinning/spline.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

using Color = glm::u8vec4;

constexpr float kFullRotation = 6.28318530718f;
constexpr int kPieces = 96;
constexpr std::array<Color, 4> kColors{Color{240, 84, 84, 255}, Color{120, 214, 98, 255},
                                       Color{92, 146, 255, 255}, Color{214, 220, 230, 255}};
constexpr Color kLit{255, 226, 84, 255};
constexpr Color kZone{84, 214, 226, 255};
constexpr Color kZoneJoint{226, 232, 240, 210};
constexpr Color kTarget{255, 158, 64, 255};
constexpr Color kPole{196, 148, 255, 255};
constexpr Color kShadow{10, 12, 16, 150};

Color faded(Color color, float alpha) {
  color.w = static_cast<std::uint8_t>(alpha * static_cast<float>(color.w));
  return color;
}

Color pickColor(Grip handle, const GizmoStyle& style) {
  return style.lit == handle ? kLit : kColors[static_cast<std::size_t>(handle)];
}

float getWidth(Grip handle, const GizmoStyle& style) {
  return style.lit == handle ? 2.0f * style.pixels : style.pixels;
}

void addPie(Overlay& overlay, const Gizmo& gizmo, Grip handle, const View& view,
            const GizmoStyle& style) {
  const int pieces = 1 + static_cast<int>(std::abs(style.dragged) / kFullRotation * kPieces);
  const float step = style.dragged / static_cast<float>(pieces);
  for (int i = 0; i < std::min(pieces, 2 * kPieces); ++i) {
    const float angle = style.from + step * static_cast<float>(i);
    addTriangle(overlay, gizmo.center, ringPoint(gizmo, handle, view, angle).place,
                ringPoint(gizmo, handle, view, angle + step).place, faded(kLit, 0.22f));
  }
}

// Facing the eye; radius in pixels.
Gizmo discAt(const View& view, const vec3& place, float pixels) {
  return {place, mat3(1.0f), pixels * unitsPerPixel(view, place) / kScreenRing};
}

void addDisc(Overlay& overlay, const View& view, const vec3& place, float pixels, Color color) {
  const Gizmo disc = discAt(view, place, pixels);
  constexpr int pieces = 24;
  for (int k = 0; k < pieces; ++k)
    addTriangle(
        overlay, place,
        ringPoint(disc, Grip::screen, view, kFullRotation * static_cast<float>(k) / pieces).place,
        ringPoint(disc, Grip::screen, view, kFullRotation * static_cast<float>(k + 1) / pieces)
            .place,
        color);
}

} // namespace

void addBand(Overlay& overlay, const View& view, const vec3& a, const vec3& b, float pixels,
             const Color& color) {
  const vec3 across = glm::cross(b - a, towardsEye(view.camera, a));
  const float length = glm::length(across);
  if (!(length > 0.0f)) return;
  const vec3 side = 0.5f * pixels / length * across;
  const vec3 atA = unitsPerPixel(view, a) * side;
  const vec3 atB = unitsPerPixel(view, b) * side;
  addTriangle(overlay, a - atA, a + atA, b + atB, color);
  addTriangle(overlay, a - atA, b + atB, b - atB, color);
}

void addRings(Overlay& overlay, const Gizmo& gizmo, const View& view, const GizmoStyle& style) {
  for (const Grip handle : {Grip::screen, Grip::x, Grip::y, Grip::z}) {
    const Color color = pickColor(handle, style);
    RingPoint a = ringPoint(gizmo, handle, view, 0.0f);
    for (int i = 1; i <= kPieces; ++i) {
      const RingPoint b =
          ringPoint(gizmo, handle, view, kFullRotation * static_cast<float>(i) / kPieces);
      const bool near = a.near && b.near;
      addBand(overlay, view, a.place, b.place, near ? getWidth(handle, style) : 0.6f * style.pixels,
              near ? color : faded(color, 0.3f));
      a = b;
    }
    if (style.lit == handle && style.dragged != 0.0f) addPie(overlay, gizmo, handle, view, style);
  }
}

void addArrows(Overlay& overlay, const Gizmo& gizmo, const View& view, const GizmoStyle& style) {
  for (const Grip handle : {Grip::x, Grip::y, Grip::z}) {
    const Color color = pickColor(handle, style);
    const vec3 axis = handleAxis(gizmo, handle, view);
    const vec3 tip = gizmo.center + gizmo.radius * axis;
    addBand(overlay, view, gizmo.center, tip, getWidth(handle, style), color);
    const vec3 other = gizmo.axes[(static_cast<int>(handle) + 1) % 3];
    const vec3 third = glm::cross(axis, other);
    const vec3 head = tip + kArrowHead * gizmo.radius * axis;
    for (int i = 0; i < 12; ++i) {
      const auto rim = [&](int k) {
        const float angle = kFullRotation * static_cast<float>(k) / 12.0f;
        return tip + 0.06f * gizmo.radius * (std::cos(angle) * other + std::sin(angle) * third);
      };
      addTriangle(overlay, head, rim(i), rim(i + 1), color);
    }
  }
  addDisc(overlay, view, gizmo.center, 0.09f * gizmo.radius / unitsPerPixel(view, gizmo.center),
          pickColor(Grip::screen, style));
}

void addZone(Overlay& overlay, const std::array<ZoneRing, 3>& rings, const View& view,
             std::optional<ZoneEnd> lit, float pixels) {
  addBand(overlay, view, rings[0].center, rings[1].center, 0.7f * pixels, faded(kZone, 0.8f));
  addBand(overlay, view, rings[1].center, rings[2].center, 0.7f * pixels, faded(kZone, 0.8f));
  for (const ZoneEnd end : {ZoneEnd::joint, ZoneEnd::min, ZoneEnd::max}) {
    const ZoneRing& ring = rings[static_cast<std::size_t>(end)];
    const bool isLit = lit == end;
    const Color color = isLit ? kLit : end == ZoneEnd::joint ? kZoneJoint : kZone;
    const float width = isLit ? 2.0f * pixels : end == ZoneEnd::joint ? 0.7f * pixels : pixels;
    for (int i = 0; i < kPieces; ++i)
      addBand(overlay, view, zoneRingPoint(ring, kFullRotation * static_cast<float>(i) / kPieces),
              zoneRingPoint(ring, kFullRotation * static_cast<float>(i + 1) / kPieces), width,
              color);
  }
}

void addSpline(Overlay& overlay, const std::array<vec3, 3>& points, const View& view, bool lit,
               float pixels) {
  const Color color = lit ? kZone : faded(kZoneJoint, 0.6f);
  for (std::size_t i = 0; i < 3; ++i) {
    if (i > 0) addBand(overlay, view, points[i - 1], points[i], 0.35f * pixels, color);
    addDisc(overlay, view, points[i], (lit ? 2.6f : 1.8f) * pixels, color);
  }
  constexpr int kCurvePieces = 16;
  vec3 last = points[0];
  const Curve& curve = arcCurve();
  for (int i = 1; i <= kCurvePieces; ++i) {
    const CurvePoint at = curve.at(curve.end * static_cast<float>(i) / kCurvePieces);
    const vec3 next =
        points[0] + at.along12 * (points[1] - points[0]) + at.along23 * (points[2] - points[1]);
    addBand(overlay, view, last, next, pixels, color);
    last = next;
  }
}

void addTarget(Overlay& overlay, const vec3& place, const View& view, float pixels, bool lit,
               bool pole) {
  const Color color = lit ? kLit : pole ? kPole : kTarget;
  const Gizmo ring = discAt(view, place, pixels);
  constexpr int pieces = 32;
  for (const auto& [width, of] : {std::pair(0.44f, kShadow), std::pair(0.22f, color)})
    for (int k = 0; k < pieces; ++k)
      addBand(
          overlay, view,
          ringPoint(ring, Grip::screen, view, kFullRotation * static_cast<float>(k) / pieces).place,
          ringPoint(ring, Grip::screen, view, kFullRotation * static_cast<float>(k + 1) / pieces)
              .place,
          width * pixels, of);
  addDisc(overlay, view, place, 0.36f * pixels, color);
}

void addDashes(Overlay& overlay, const View& view, const vec3& a, const vec3& b, float pixels,
               bool pole) {
  constexpr float dash = 7.0f; // widths
  const float length =
      glm::distance(vec2(screenFromWorld(view, a)), vec2(screenFromWorld(view, b)));
  const int count = std::clamp(static_cast<int>(length / (2.0f * dash * pixels)), 1, 200);
  for (int i = 0; i < count; ++i) {
    const auto at = [&](float k) { return a + (k / static_cast<float>(count)) * (b - a); };
    const auto k = static_cast<float>(i);
    addBand(overlay, view, at(k), at(k + 0.5f), pixels, faded(pole ? kPole : kTarget, 0.8f));
  }
}

} // namespace sinew
