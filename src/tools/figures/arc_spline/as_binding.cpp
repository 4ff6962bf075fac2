// Figure 4: the partition of space among the points of a curved spline by recursive halving,
// compared with a dense search for the closest point.
#include "demo/models.h"
#include "skinning/free_spline.h"
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

using glm::dvec3;

dvec3 pointAt(const FreeShape& shape, float x) {
  const CurvePoint at = arcCurve().at(x);
  return shape.p1 + double{at.along12} * shape.d12 + double{at.along23} * shape.d23;
}

double distanceAt(const FreeShape& shape, float x, const vec3& p) {
  return glm::distance(pointAt(shape, x), dvec3(p));
}

// The closest point: densely sampled, then refined between the neighbours of the best sample.
float densestSearch(const FreeShape& shape, const vec3& p) {
  constexpr int kSamples = 1024;
  const float step = arcCurve().end / kSamples;
  int best = 0;
  for (int i = 1; i <= kSamples; ++i)
    if (distanceAt(shape, step * static_cast<float>(i), p) <
        distanceAt(shape, step * static_cast<float>(best), p))
      best = i;
  float low = std::max(0.0f, step * static_cast<float>(best - 1));
  float high = std::min(arcCurve().end, step * static_cast<float>(best + 1));
  for (int i = 0; i < 24; ++i) {
    const float third = (high - low) / 3.0f;
    if (distanceAt(shape, low + third, p) < distanceAt(shape, high - third, p))
      high -= third;
    else
      low += third;
  }
  return 0.5f * (low + high);
}

struct Comparison {
  std::size_t positions = 0;
  std::size_t same = 0;    // halving is as near to the curve as the dense search
  double farthest = 0.0;   // distance to the point found by halving over that to the closest point
  double largestOff = 0.0; // in x, where they are the same
};

Comparison compare(const FreeShape& shape, std::span<const vec3> positions) {
  Comparison out;
  for (const vec3& p : positions) {
    const float halved = projectToCurve(arcCurve(), shape, p);
    const float nearest = densestSearch(shape, p);
    const double excess = distanceAt(shape, halved, p) - distanceAt(shape, nearest, p);
    ++out.positions;
    out.farthest = std::max(out.farthest, excess);
    if (excess > 1e-5) continue;
    ++out.same;
    // Near the center of the bend many points are almost equally near: x is then ill-defined.
    out.largestOff = std::max(out.largestOff, std::abs(double{halved} - nearest));
  }
  return out;
}

// The plane of the spline, sampled evenly.
struct Window {
  vec2 low{-0.75f, 0.0f};
  vec2 high{0.55f, 1.05f};
  std::uint32_t width = 390, height = 315;

  vec3 at(std::uint32_t column, std::uint32_t row) const {
    const vec2 share((static_cast<float>(column) + 0.5f) / static_cast<float>(width),
                     1.0f - (static_cast<float>(row) + 0.5f) / static_cast<float>(height));
    return {low + share * (high - low), 0.0f};
  }
};

void paint(Image& image, std::uint32_t column, std::uint32_t row, const vec3& color) {
  std::uint8_t* pixel = image.rgba.data() + 4 * (std::size_t{row} * image.width + column);
  for (int k = 0; k < 3; ++k)
    pixel[k] = static_cast<std::uint8_t>(std::lround(255.0f * std::clamp(color[k], 0.0f, 1.0f)));
  pixel[3] = 255;
}

// Green before the middle of the spline, blue behind it; after more halvings in shades.
vec3 pickColor(float share, int halvings) {
  const int parts = 1 << halvings;
  const int part = std::min(static_cast<int>(share * static_cast<float>(parts)), parts - 1);
  const vec3 half = 2 * part < parts ? vec3(0.35f, 0.72f, 0.38f) : vec3(0.38f, 0.52f, 0.90f);
  return part % 2 == 1 ? glm::mix(half, vec3(1.0f), 0.45f) : half;
}

Image partition(const FreeShape& shape, int halvings) {
  const Window window;
  Image image{window.width, window.height, {}};
  image.rgba.resize(std::size_t{4} * window.width * window.height);
  for (std::uint32_t row = 0; row < window.height; ++row)
    for (std::uint32_t column = 0; column < window.width; ++column) {
      const vec3 p = window.at(column, row);
      const float x = projectToCurve(arcCurve(), shape, p);
      const bool onCurve = distanceAt(shape, x, p) < 0.006;
      paint(image, column, row,
            onCurve ? vec3(0.75f, 0.1f, 0.1f) : pickColor(x / arcCurve().end, halvings));
    }
  return image;
}

std::vector<vec3> windowPositions() {
  Window coarse;
  coarse.width = 65;
  coarse.height = 53;
  std::vector<vec3> out;
  for (std::uint32_t row = 0; row < coarse.height; ++row)
    for (std::uint32_t column = 0; column < coarse.width; ++column)
      out.push_back(coarse.at(column, row));
  return out;
}

Image tubePicture(const Model& tube, std::string_view clip) {
  const Pose pose = clip.empty() ? restPose(tube.hierarchy) : clipPose(tube, clip, 2.0f);
  return shoot(poseBy(tube, {"arc-spline"}, pose), {.width = 390, .height = 315, .pitch = 8.0f});
}

FigureResult runBinding(const FigureOptions& /*options*/) {
  const Model tube = makeCurvedTube();
  const FreeShape shape = makeFreeShape(tube.splines.front().points);
  const Comparison skin = compare(shape, tube.meshes.front().positions);
  const Comparison plane = compare(shape, windowPositions());
  FigureResult result;
  Table table{"recursive halving against a dense search for the closest point",
              {{"positions", ""},
               {"number", "", 0},
               {"as_near", "", 0},
               {"largest_difference_of_x", "", 6},
               {"farther_at_most", "", 6}},
              {}};
  const auto add = [&](const char* key, const char* name, const Comparison& c) {
    table.rows.push_back({name, static_cast<double>(c.positions), static_cast<double>(c.same),
                          c.largestOff, c.farthest});
    result.numbers[key] = {{"positions", c.positions},
                           {"as_near", c.same},
                           {"largest_difference_of_x", c.largestOff},
                           {"farther_at_most", c.farthest}};
  };
  add("skin", "the tube's vertices", skin);
  add("plane", "all over the picture", plane);
  result.says = "space is split by the plane at x = pi/4, then each part again, which determines x "
                "exactly and avoids ambiguities";
  result.measured = fmt::format(
      "on the tube's {} vertices halving finds the closest point of the curve for {} (x to "
      "{:.0e}); "
      "of {} positions all over the plane for {}: beyond the center of the bend several points of "
      "the curve are candidates, and halving may take one that is farther",
      skin.positions, skin.same, skin.largestOff, plane.positions, plane.same);
  result.tables.push_back({"", std::move(table)});
  const std::vector<Tile> tiles = {{partition(shape, 1), "one halving"},
                                   {partition(shape, 2), "two"},
                                   {partition(shape, 3), "three"},
                                   {tubePicture(tube, ""), "the tube as bound"},
                                   {tubePicture(tube, "straighten"), "straightened"},
                                   {tubePicture(tube, "bend"), "bent further"}};
  result.images.push_back({"", layOut(tiles, 3)});
  return result;
}

} // namespace

Figure bindingFigure() {
  return {.name = "as-binding",
          .paper = kArcSplinePaper,
          .title = "Figure 4: binding to a curved spline by halving space",
          .run = runBinding};
}

} // namespace sinew
