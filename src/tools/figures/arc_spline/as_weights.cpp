// Figure 5: the painted weights of the body-arm's three splines as colours, and the hierarchy of
// the splines.
#include "demo/models.h"
#include "model/hierarchy.h"
#include "rig/spline_controls.h"
#include "skinning/spline.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace sinew {
namespace {

// The curves with their control points, in the workbench's pose, over everything.
Overlay drawSplines(const Workbench& workbench) {
  Overlay overlay;
  overlay.onTop = true;
  const float size = computeBounds(workbench.rig.positions).size();
  const glm::u8vec4 curve(250, 250, 250, 255);
  const glm::u8vec4 control(20, 24, 30, 255);
  for (std::uint32_t i = 0; i < workbench.rig.splines.size(); ++i) {
    if (workbench.rig.splines[i].source == kNoNode) continue;
    const auto [p1, p2, p3] = posedControlPoints(workbench.rig, i, workbench.modelFromNode);
    constexpr int kSteps = 32;
    vec3 last = p1;
    for (int step = 1; step <= kSteps; ++step) {
      const CurvePoint at = arcCurve().at(arcCurve().end * static_cast<float>(step) / kSteps);
      const vec3 next = p1 + at.along12 * (p2 - p1) + at.along23 * (p3 - p2);
      addRod(overlay, last, next, 0.004f * size, curve);
      last = next;
    }
    for (const vec3& p : {p1, p2, p3})
      addRod(overlay, p - vec3(0.008f * size, 0, 0), p + vec3(0.008f * size, 0, 0), 0.008f * size,
             control);
  }
  return overlay;
}

// The spline that has the first node's parent among its nodes, or none.
std::string attachedTo(const Model& model, std::size_t spline) {
  const std::uint32_t parent = model.hierarchy.nodes[model.splines[spline].nodes[0]].parent;
  for (const FreeSpline& other : model.splines)
    for (const std::uint32_t node : other.nodes)
      if (node == parent)
        return fmt::format("{} at {}", other.name, model.hierarchy.nodes[node].name);
  return "nothing";
}

Image drawWeights(const Model& model, const Workbench& workbench, std::size_t spline) {
  std::vector<float> field;
  for (std::size_t v = 0; v < workbench.rig.positions.size(); ++v) {
    float weight = 0.0f;
    for (const Influence& influence : model.meshes[0].splineInfluences.of(v))
      if (influence.joint == spline) weight = influence.weight;
    field.push_back(weight);
  }
  return shoot(workbench, {.width = 360, .height = 330, .pitch = 6.0f, .field = std::move(field)});
}

FigureResult runWeights(const FigureOptions& /*options*/) {
  const Model model = makeBodyArmSplines();
  const Workbench workbench = poseBy(model, {"arc-spline"}, restPose(model.hierarchy));
  std::array<std::size_t, 3> byCount{}; // vertices with one, two and three splines
  std::array<double, 3> sums{};
  double offOne = 0.0;
  const Influences& painted = model.meshes[0].splineInfluences;
  for (std::size_t v = 0; v < painted.vertexCount(); ++v) {
    double sum = 0.0;
    for (const auto& [spline, weight] : painted.of(v)) {
      sum += weight;
      sums[spline] += weight;
    }
    offOne = std::max(offOne, std::abs(sum - 1.0));
    ++byCount[painted.of(v).size() - 1];
  }
  FigureResult result;
  Table table{"the three splines",
              {{"spline", ""}, {"attached_to", ""}, {"sum_of_weights", "vertices", 1}},
              {}};
  std::vector<Tile> tiles = {
      {shoot(workbench,
             {.width = 360, .height = 330, .pitch = 6.0f, .overlays = {drawSplines(workbench)}}),
       "body, arm and elbow spline"}};
  for (std::size_t s = 0; s < model.splines.size(); ++s) {
    table.rows.push_back({model.splines[s].name, attachedTo(model, s), sums[s]});
    result.numbers["attached"][model.splines[s].name] = attachedTo(model, s);
    tiles.push_back({drawWeights(model, workbench, s), "weights of " + model.splines[s].name});
  }
  result.numbers["vertices"] = painted.vertexCount();
  result.numbers["with_one_two_three"] = byCount;
  result.numbers["sum_off_one"] = offOne;
  result.says = "weights are painted, red for the body, green for the arm, blue for the elbow, "
                "mixed where they overlap; three weights that sum to 1";
  result.measured = fmt::format("{} vertices: {} follow one spline, {} two, {} three; weights sum "
                                "to 1 within {:.0e}; the arm "
                                "hangs on {}, the elbow on {}",
                                painted.vertexCount(), byCount[0], byCount[1], byCount[2], offOne,
                                attachedTo(model, 1), attachedTo(model, 2));
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", layOut(tiles, 2)});
  return result;
}

} // namespace

Figure weightsFigure() {
  return {.name = "as-weights",
          .paper = kArcSplinePaper,
          .title = "Figure 5: painted weights and attached splines",
          .run = runWeights};
}

} // namespace sinew
