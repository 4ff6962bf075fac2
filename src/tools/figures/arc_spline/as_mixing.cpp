// Section 6: the blend of a vertex's three positions computed from differences to their mean, or
// directly, near the origin and far from it. The positions themselves are rounded in both cases,
// which is not measured.
#include "demo/models.h"
#include "skinning/joint_binding.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/type_precision.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

using Mix = vec3 (*)(std::span<const vec3>, const vec3&);

// The positions of a vertex by its splines, and its weights as the GPU reads them.
struct Places {
  std::array<vec3, 3> places;
  vec3 weights;
};

// Every vertex of the model follows only this spline.
Model onlySpline(Model model, std::uint32_t spline) {
  Mesh& mesh = model.meshes.front();
  mesh.splineInfluences = {};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    mesh.splineInfluences.append({{Influence{spline, 1.0f}}});
  return model;
}

// The vertices that follow several splines, in a pose moved away from the origin.
std::vector<Places> placesAt(const Model& model, Pose pose, float distance) {
  pose.parentFromNode[0].translation += vec3(distance, 0.5f * distance, -0.25f * distance);
  std::vector<std::vector<vec3>> bySpline;
  for (std::uint32_t s = 0; s < model.splines.size(); ++s)
    bySpline.push_back(posedPositions(poseBy(onlySpline(model, s), {"arc-spline"}, pose)));
  std::vector<Places> out;
  const Influences& painted = model.meshes.front().splineInfluences;
  for (std::size_t v = 0; v < painted.vertexCount(); ++v) {
    const auto influences = painted.of(v);
    if (influences.size() < 2) continue;
    // Unused entries repeat the first, as in a binding.
    Places vertex;
    vertex.places.fill(bySpline[influences[0].joint][v]);
    std::array<float, 3> weights{};
    for (std::size_t i = 0; i < influences.size(); ++i) {
      vertex.places[i] = bySpline[influences[i].joint][v];
      weights[i] = influences[i].weight;
    }
    quantizeWeights(weights);
    vertex.weights = {weights[0], weights[1], weights[2]};
    out.push_back(vertex);
  }
  return out;
}

struct Errors {
  double largest = 0.0;
  double mean = 0.0;
};

// Compared with the blend in double precision.
Errors measureErrors(Mix mix, std::span<const Places> vertices) {
  Errors errors;
  for (const auto& [places, weights] : vertices) {
    glm::dvec3 sum(0.0);
    double whole = 0.0;
    for (int i = 0; i < 3; ++i) {
      sum += double{weights[i]} * glm::dvec3(places[static_cast<std::size_t>(i)]);
      whole += weights[i];
    }
    const double off = glm::distance(glm::dvec3(mix(places, weights)), sum / whole);
    errors.largest = std::max(errors.largest, off);
    errors.mean += off / static_cast<double>(vertices.size());
  }
  return errors;
}

FigureResult runMixing(const FigureOptions& /*options*/) {
  const Model model = makeBodyArmSplines();
  const Pose pose = clipPose(model, "bend-and-twists", 2.0f);
  FigureResult result;
  Table table{"rounding of the blend of positions given as floats",
              {{"from_the_origin", "m", 0},
               {"steps_of_floats_there", "m", 9},
               {"precise_largest", "m", 9},
               {"plain_largest", "m", 9},
               {"precise_mean", "m", 9},
               {"plain_mean", "m", 9}},
              {}};
  Series precisely{"differences from the middle", {}, true};
  Series plainly{"plain", {}, true};
  Series steps{"steps of floats", {}, false};
  for (const float distance : {1.0f, 10.0f, 100.0f, 1000.0f, 10000.0f, 100000.0f}) {
    const std::vector<Places> vertices = placesAt(model, pose, distance);
    const Errors precise = measureErrors(combineFromMiddle, vertices);
    const Errors plain = measureErrors(combinePlainly, vertices);
    const double step = double{std::nextafter(distance, 2.0f * distance)} - double{distance};
    table.rows.push_back(
        {double{distance}, step, precise.largest, plain.largest, precise.mean, plain.mean});
    precisely.points.emplace_back(distance, precise.mean);
    plainly.points.emplace_back(distance, plain.mean);
    steps.points.emplace_back(distance, step);
    result.numbers[fmt::format("{:.0f}", distance)] = {{"float_step", step},
                                                       {"precise_largest", precise.largest},
                                                       {"plain_largest", plain.largest},
                                                       {"precise_mean", precise.mean},
                                                       {"plain_mean", plain.mean}};
  }
  const auto number = [&](std::size_t column) {
    return 1e3 * std::get<double>(table.rows.back()[column]);
  };
  result.says = "floating point accuracy was not sufficient for the plain sum; mixing the "
                "differences from the mean of the three is precise";
  result.measured = fmt::format(
      "100 km from the origin, where floats are {:.1f} mm apart, the plain sum is off by {:.1f} mm "
      "in the mean and {:.1f} mm at most, the mixed differences by {:.1f} and {:.1f} mm; within a "
      "metre of the origin both are below a thousandth of a millimetre",
      number(1), number(5), number(3), number(4), number(2));
  Plot plot{.title = "Rounding of blended positions far from the origin",
            .xLabel = "distance from the origin, m",
            .yLabel = "mean error, m",
            .series = {}};
  plot.series = {precisely, plainly, steps};
  plot.logX = true;
  plot.logY = true;
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", drawPlot(plot, 800, 500)});
  return result;
}

} // namespace

Figure mixingFigure() {
  return {.name = "as-mixing",
          .paper = kArcSplinePaper,
          .title = "Section 6: precise mixing against plain",
          .run = runMixing};
}

} // namespace sinew
