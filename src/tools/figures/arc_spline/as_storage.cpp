// Section 6: bind coordinates as vertex attributes, or one transform per spline instead.
#include "demo/models.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"
#include "tools/figures/timing.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

constexpr const char* kCoordinates = "parameter-source=zone,storage=coordinates";
constexpr const char* kTransform = "parameter-source=zone,storage=transform";
constexpr const char* kTexture = "parameter-source=zone,directions=texture";

std::size_t countBytes(const Binding& binding) {
  std::size_t bytes = 0;
  for (const Attribute& attribute : binding.attributes)
    bytes += byteSize(attribute.format);
  return bytes;
}

double farthestApart(const Model& model) {
  const Pose pose = clipPose(model, "bend-and-twists", 2.0f);
  const std::vector<vec3> a = posedPositions(poseBy(model, {"arc-spline", kCoordinates}, pose));
  const std::vector<vec3> b = posedPositions(poseBy(model, {"arc-spline", kTransform}, pose));
  double largest = 0.0;
  for (std::size_t v = 0; v < a.size(); ++v)
    largest = std::max(largest, double{glm::distance(a[v], b[v])});
  return largest;
}

FigureResult runStorage(const FigureOptions& options) {
  const Model model = makeBodyArmSplines();
  Workbench workbench = poseBy(model, {"arc-spline"}, restPose(model.hierarchy));
  const std::vector<TimedCase> cases = {{"coordinates a vertex", "arc-spline", kCoordinates},
                                        {"a transform a spline", "arc-spline", kTransform},
                                        {"directions in a texture", "arc-spline", kTexture}};
  const std::vector<BenchReport> reports =
      timeGrowth(workbench, cases, applyOptions({.vertices = 500000, .frames = 31}, options));
  FigureResult result;
  addGrowth("body-arm by three splines, vertex stage alone", reports, result);
  const auto bytes = [&](const char* parameters) {
    const Workbench bound = poseBy(model, {"arc-spline", parameters}, restPose(model.hierarchy));
    return countBytes(bound.bound.front().binding);
  };
  const double apart = farthestApart(model);
  result.numbers["bytes_a_vertex"] = {{"coordinates", bytes(kCoordinates)},
                                      {"transform", bytes(kTransform)},
                                      {"directions_in_a_texture", bytes(kTexture)}};
  result.numbers["farthest_apart_m"] = apart;
  const BenchReport& largest = reports.back();
  result.says =
      "bound to a straight untwisted line it is not necessary to store binding "
      "information: one transform matrix per spline is sufficient; directional vectors in a RGB "
      "texture can save a lot of memory bandwidth";
  result.measured = fmt::format(
      "{} bytes a vertex with coordinates, {} without, beside position and normal; the vertices "
      "agree to {:.0e} m; without, a frame takes {:.2f} times as long; with {} bytes, the normals "
      "on "
      "splines as three bytes each in a texture, {:.2f} times ({} vertices, {})",
      bytes(kCoordinates), bytes(kTransform), apart, largest.results[1].ratioToStatic,
      bytes(kTexture), largest.results[2].ratioToStatic, largest.vertices, largest.renderer);
  return result;
}

} // namespace

Figure storageFigure() {
  return {.name = "as-storage",
          .paper = kArcSplinePaper,
          .title = "Section 6: bind coordinates stored, or a transform a spline",
          .run = runStorage};
}

} // namespace sinew
