// Figure 3: the coordinate systems along an arc-spline, without a twist and with one.
#include "skinning/spline.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::array<vec3, 3> kControls = {vec3(-1.0f, -0.6f, 0.2f), vec3(-0.5f, 0.9f, 0.0f),
                                           vec3(1.1f, 0.5f, -0.3f)};
constexpr int kFrames = 9;

struct Frame {
  vec3 origin, normal, tangent, binormal;
};

// Section 3 of the paper, basis vectors normalised; the twist grows evenly along the spline.
Frame frameAt(float share, float twist) {
  const Curve& curve = arcCurve();
  const CurvePoint at = curve.at(share * curve.end);
  const vec3 d12 = kControls[1] - kControls[0];
  const vec3 d23 = kControls[2] - kControls[1];
  Frame frame;
  frame.origin = kControls[0] + at.along12 * d12 + at.along23 * d23;
  frame.tangent = glm::normalize(at.slope12 * d12 + at.slope23 * d23);
  const vec3 normal = glm::normalize(glm::cross(d12, d23));
  const quat roll = glm::angleAxis(twist * at.fraction, frame.tangent);
  frame.normal = roll * normal;
  frame.binormal = roll * glm::cross(normal, frame.tangent);
  return frame;
}

Image draw(float twist) {
  Overlay overlay;
  constexpr int kSteps = 96;
  for (int i = 0; i < kSteps; ++i)
    addRod(overlay, frameAt(static_cast<float>(i) / kSteps, 0).origin,
           frameAt(static_cast<float>(i + 1) / kSteps, 0).origin, 0.012f, {70, 74, 84, 255});
  for (std::size_t i = 0; i + 1 < kControls.size(); ++i)
    addRod(overlay, kControls[i], kControls[i + 1], 0.004f, {150, 154, 164, 255});
  for (int i = 0; i < kFrames; ++i) {
    const Frame f = frameAt(static_cast<float>(i) / (kFrames - 1), twist);
    constexpr float kLength = 0.26f;
    addArrow(overlay, f.origin, f.origin + kLength * f.normal, 0.010f, {214, 48, 44, 255});
    addArrow(overlay, f.origin, f.origin + kLength * f.tangent, 0.010f, {36, 150, 60, 255});
    addArrow(overlay, f.origin, f.origin + kLength * f.binormal, 0.010f, {48, 84, 214, 255});
  }
  return shootOverlays({.width = 520,
                        .height = 440,
                        .yaw = 44.0f,
                        .pitch = 28.0f,
                        .distance = 0.95f,
                        .frame = {vec3(-1.1f, -0.65f, -0.4f), vec3(1.2f, 0.85f, 0.5f)},
                        .overlays = {overlay}});
}

FigureResult runFrames(const FigureOptions& /*options*/) {
  Table table{"coordinate systems along the spline",
              {{"x", "", 4},
               {"origin_x", ""},
               {"origin_y", ""},
               {"origin_z", ""},
               {"tangent_x", ""},
               {"tangent_y", ""},
               {"tangent_z", ""},
               {"binormal_x", ""},
               {"binormal_y", ""},
               {"binormal_z", ""}},
              {}};
  double skew = 0.0; // largest error of an orthonormal, right-handed frame
  double off = 0.0;  // largest error of the tangent against the curve's differences
  for (int i = 0; i < kFrames; ++i) {
    const float share = static_cast<float>(i) / (kFrames - 1);
    const Frame f = frameAt(share, 0.0f);
    table.rows.push_back({double{share} * arcCurve().end});
    for (const vec3& v : {f.origin, f.tangent, f.binormal})
      for (int k = 0; k < 3; ++k)
        table.rows.back().emplace_back(double{v[k]});
    skew = std::max({skew, std::abs(double{glm::dot(f.normal, f.tangent)}),
                     double{glm::length(glm::cross(f.normal, f.tangent) - f.binormal)}});
    constexpr float kStep = 0.01f;
    const vec3 along = frameAt(share + kStep, 0).origin - frameAt(share - kStep, 0).origin;
    off = std::max(off, double{glm::length(glm::normalize(along) - f.tangent)});
  }
  FigureResult result;
  result.numbers = {{"skew", skew}, {"tangent_off_differences", off}};
  result.says = "three basis vectors in each position of the curve: normals red, tangents green, "
                "binormals blue";
  result.measured =
      fmt::format("the vectors are orthonormal to {:.0e}, and the tangent agrees with "
                  "the curve's own differences to {:.0e}",
                  skew, off);
  result.tables.push_back({"", std::move(table)});
  const std::vector<Tile> tiles = {{draw(0.0f), "the spline coordinate system"},
                                   {draw(glm::radians(180.0f)), "twisted by 180 degrees"}};
  result.images.push_back({"", layOut(tiles, 2)});
  return result;
}

} // namespace

Figure framesFigure() {
  return {.name = "as-frames",
          .paper = kArcSplinePaper,
          .title = "Figure 3: the spline coordinate system",
          .run = runFrames};
}

} // namespace sinew
