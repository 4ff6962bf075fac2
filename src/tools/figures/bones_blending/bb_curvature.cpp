// Figure 9: the curvature of the skin about the elbow while it bends from 0 to 135 degrees,
// original against subdivided mesh: on an arm as coarse as the paper's, and on the demo's.
//
// A parameter t that is linear over the zone has kinks at its ends: for any resolution of the mesh
// the skin has a kink there, atan(angle / 2) for the mean line. A smooth one, over the same zone,
// has none.
#include "demo/models.h"
#include "metrics/curvature.h"
#include "tools/figures/bones_blending/zone_binding.h"
#include "tools/figures/figures.h"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>

namespace sinew {
namespace {

struct CurvatureCase {
  const char* column; // column of the table
  const char* name;   // name in the legend
  Model model;
  Choice choice;
  std::vector<double> curvature = {}; // degrees, one per bend
};

constexpr Subdivision k1to4 = Subdivision::midpoints;

// Cases with as many triangles as the paper's, and its linear t.
std::vector<CurvatureCase> coarseCases() {
  const ZoneBound arm = paperArm(makeCoarseArm(), 0.15f);
  const Choice choice = arm.choice("bones-blending");
  const Choice smooth = smoothly(arm).choice("bones-blending");
  const Model divided = divideElbow(arm.model, k1to4);
  const Model twice = divideElbow(divided, k1to4);
  return {{"coarse", "original", arm.model, choice},
          {"coarse_1to4", "1:4", divided, choice},
          {"coarse_1to4_twice", "1:4, and again", twice, choice},
          {"coarse_1to3", "1:3", divideElbow(arm.model, Subdivision::centroid), choice},
          {"coarse_smooth", "smooth t, original", arm.model, smooth},
          {"coarse_smooth_1to4", "smooth t, 1:4", divided, smooth},
          {"coarse_smooth_1to4_twice", "smooth t, 1:4, and again", twice, smooth}};
}

std::vector<CurvatureCase> fineCases() {
  const ZoneBound linear = paperArm(0.10f);
  const ZoneBound narrow = paperArm(0.05f);
  const Choice smooth = smoothly(linear).choice("bones-blending");
  const Model divided = divideElbow(linear.model, k1to4);
  const Model twice = divideElbow(divided, k1to4);
  return {{"linear", "linear t, original", linear.model, linear.choice("bones-blending")},
          {"linear_1to4", "linear t, 1:4", divided, linear.choice("bones-blending")},
          {"smooth", "smooth t, original", linear.model, smooth},
          {"smooth_1to4", "smooth t, 1:4", divided, smooth},
          {"narrow", "half the zone, original", narrow.model, narrow.choice("bones-blending")},
          {"narrow_1to4", "half the zone, 1:4", divideElbow(narrow.model, k1to4),
           narrow.choice("bones-blending")},
          {"linear_1to4_twice", "linear t, 1:4, and again", twice, linear.choice("bones-blending")},
          {"smooth_1to4_twice", "smooth t, 1:4, and again", twice, smooth}};
}

void measureCurvature(CurvatureCase& c, std::span<const double> bends) {
  Workbench workbench = poseBy(c.model, c.choice, restPose(c.model.hierarchy));
  const auto neighbours = neighbourTriangles(workbench.rig.triangles, weldVertices(workbench.rig));
  const std::vector<std::uint32_t> connected =
      trianglesOfJoint(workbench.rig, rigJoint(workbench.rig, workbench.model, "LowerArm"));
  for (const double bend : bends) {
    holdPose(workbench, elbowPose(c.model, static_cast<float>(bend), 0.0f));
    const auto each =
        triangleCurvatures(posedPositions(workbench), workbench.rig.triangles, neighbours);
    c.curvature.push_back(glm::degrees(double{findLargest(each, connected)}));
  }
}

Image plotCurvature(std::string title, std::span<const CurvatureCase> cases,
                    std::span<const double> bends) {
  Plot plot{.title = std::move(title),
            .xLabel = "elbow bend, degrees",
            .yLabel = "curvature, degrees",
            .series = {}};
  for (const CurvatureCase& c : cases) {
    Series series{c.name, {}, true};
    for (std::size_t i = 0; i < bends.size(); ++i)
      series.points.emplace_back(bends[i], c.curvature[i]);
    plot.series.push_back(std::move(series));
  }
  return drawPlot(plot, 900, 560);
}

Tile bent(const CurvatureCase& c, const char* caption) {
  return {shoot(poseBy(c.model, c.choice, elbowPose(c.model, 120.0f, 0.0f)),
                {.width = 420,
                 .height = 400,
                 .pitch = 4.0f,
                 .frame = around(vec3(0.28f, 0.05f, 0), 0.16f),
                 .textures = false,
                 .wireframe = true}),
          caption};
}

FigureResult runCurvature(const FigureOptions& /*options*/) {
  std::vector<double> bends;
  for (int degrees = 0; degrees <= 135; degrees += 5)
    bends.push_back(degrees);
  std::vector<CurvatureCase> coarse = coarseCases();
  std::vector<CurvatureCase> fine = fineCases();
  FigureResult result;
  Table table{"curvature about the elbow, degrees", {{"bend", "", 0}}, {}};
  for (const double bend : bends)
    table.rows.push_back({bend});
  for (std::vector<CurvatureCase>* cases : {&coarse, &fine})
    for (CurvatureCase& c : *cases) {
      measureCurvature(c, bends);
      table.columns.push_back({c.column, "", 1});
      for (std::size_t i = 0; i < bends.size(); ++i)
        table.rows[i].emplace_back(c.curvature[i]);
      result.numbers[c.column] = {{"triangles", c.model.meshes[0].triangles.size()},
                                  {"at_0", c.curvature[0]},
                                  {"at_45", c.curvature[9]},
                                  {"at_90", c.curvature[18]},
                                  {"at_135", c.curvature[27]}};
    }
  result.says = "the curvature grows with the bend, and less on the subdivided model; it goes to "
                "zero as the mesh approaches a smooth surface";
  result.measured = fmt::format(
      "an arm of {} triangles bent by 135 degrees: {:.0f} degrees, {:.0f} divided 1:4, {:.0f} "
      "again; with a smooth t over the same zone {:.0f}, {:.0f} and {:.0f}. The linear t keeps a "
      "kink at the zone's ends, which no subdivision removes (arm of {} triangles: {:.0f}, {:.0f} "
      "with 1:4, {:.0f} again), while a smooth t leaves {:.0f}, {:.0f} and {:.0f}; with a zone "
      "shorter than the arm is thick the inner side folds and both come to "
      "{:.0f} and {:.0f}",
      coarse[0].model.meshes[0].triangles.size(), coarse[0].curvature.back(),
      coarse[1].curvature.back(), coarse[2].curvature.back(), coarse[4].curvature.back(),
      coarse[5].curvature.back(), coarse[6].curvature.back(),
      fine[0].model.meshes[0].triangles.size(), fine[0].curvature.back(), fine[1].curvature.back(),
      fine[6].curvature.back(), fine[2].curvature.back(), fine[3].curvature.back(),
      fine[7].curvature.back(), fine[4].curvature.back(), fine[5].curvature.back());
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", plotCurvature("Curvature of the bent elbow, arm of the paper's size",
                                             std::span(coarse).first(3), bends)});
  const std::vector<CurvatureCase> bothFine{fine[0], fine[1], fine[6], fine[2], fine[3], fine[7]};
  result.images.push_back(
      {"smooth-fine", plotCurvature("Linear and smooth t, demo:arm", bothFine, bends)});
  const std::vector<CurvatureCase> both{coarse[0], coarse[1], coarse[2],
                                        coarse[4], coarse[5], coarse[6]};
  result.images.push_back(
      {"smooth", plotCurvature("Linear and smooth t, arm of the paper's size", both, bends)});
  result.images.push_back({"fine", plotCurvature("Curvature of the bent elbow, demo:arm",
                                                 std::span(fine).first(6), bends)});
  const std::vector<Tile> tiles = {
      bent(coarse[0], "original, 120 degrees"), bent(coarse[1], "1:4"),
      bent(coarse[2], "1:4, and again"),        bent(fine[0], "demo:arm, linear t"),
      bent(fine[2], "demo:arm, smooth t"),      bent(fine[4], "demo:arm, half the zone")};
  result.images.push_back({"bent", layOut(tiles, 3)});
  return result;
}

} // namespace

Figure curvatureFigure() {
  return {.name = "bb-curvature",
          .paper = kBonesBlendingPaper,
          .title = "Figure 9: curvature of the elbow from 0 to 135 degrees",
          .run = runCurvature};
}

} // namespace sinew
