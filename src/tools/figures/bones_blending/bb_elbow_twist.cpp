// Figures 4 and 8: the elbow twisted by 180 degrees, by every method, on the original mesh and
// divided 1:4 about the elbow.
#include "demo/models.h"
#include "tools/figures/bones_blending/zone_binding.h"
#include "tools/figures/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

// A method on the original arm, and divided about the elbow.
struct Row {
  std::string name;
  Choice choice;
  Model model, finer;
  MethodMetrics original = {}, divided = {};
};

Model divide(const Model& model) {
  return divideElbow(model, Subdivision::midpoints);
}

std::vector<Row> makeRows() {
  std::vector<Row> rows;
  const Model arm = makeArm();
  const Model finer = divide(arm);
  for (const Method& method : methods())
    rows.push_back({std::string(method.name), {method.name}, arm, finer});
  const ZoneBound paper = paperArm(0.1f);
  rows.push_back(
      {"bones-blending by zone", paper.choice("bones-blending"), paper.model, divide(paper.model)});
  return rows;
}

Table makeTable(const std::vector<Row>& rows) {
  Table table{"smallest radius over rest radius, elbow twisted by 180 degrees",
              {{"method", ""},
               {"surface_original", ""},
               {"surface_1to4", ""},
               {"rings_original", ""},
               {"rings_1to4", ""},
               {"volume_original", ""}},
              {}};
  for (const Row& row : rows)
    table.rows.push_back({row.name, double{row.original.surfaceSection},
                          double{row.divided.surfaceSection}, double{row.original.crossSection},
                          double{row.divided.crossSection}, double{row.original.volume}});
  return table;
}

Shot closeUp() {
  return {.width = 640, .height = 230, .pitch = 12.0f, .frame = around(vec3(0.30f, 0, 0), 0.13f)};
}

Image draw(const Model& model, const Choice& choice, const Pose& pose) {
  return shoot(poseBy(model, choice, pose), closeUp());
}

FigureResult runElbowTwist(const FigureOptions& /*options*/) {
  std::vector<Row> rows = makeRows();
  const Pose pose = elbowPose(rows.front().model, 0.0f, 180.0f);
  std::vector<Tile> all;
  for (Row& row : rows) {
    row.original = measure(row.model, "LowerArm", row.choice, pose);
    row.divided = measure(row.finer, "LowerArm", row.choice, pose);
    all.push_back({draw(row.model, row.choice, pose),
                   fmt::format("{}: {:.2f}", row.name, row.original.surfaceSection)});
    all.push_back({draw(row.finer, row.choice, pose),
                   fmt::format("{}, 1:4: {:.2f}", row.name, row.divided.surfaceSection)});
  }
  const auto named = [&](std::string_view name) -> const Row& {
    return *std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
  };
  const Row& linear = named("lbs");
  const Row& blended = named("bones-blending");

  FigureResult result;
  result.says = "twisted by 180 degrees, vertex blending brings the vertices between two bones to "
                "the joint itself; bones blending keeps their distance, the better on a finer mesh";
  result.measured =
      fmt::format("thinnest slice of the surface over its rest radius: {:.3f} by linear blending, "
                  "{:.3f} by bones blending, {:.3f} with 1:4 (what is left are flat triangles: its "
                  "vertices keep {:.4f})",
                  linear.original.surfaceSection, blended.original.surfaceSection,
                  blended.divided.surfaceSection, blended.original.crossSection);
  for (const Row& row : rows)
    result.numbers[row.name] = {{"original", row.original.surfaceSection},
                                {"1to4", row.divided.surfaceSection},
                                {"vertices", row.original.crossSection}};
  result.tables.push_back({"", makeTable(rows)});
  const std::vector<Tile> figure8 = {
      {draw(linear.model, linear.choice, pose), "a) vertex blending"},
      {draw(linear.model, blended.choice, pose), "b) bones blending"},
      {draw(blended.finer, blended.choice, pose), "c) bones blending, 1:4 about the elbow"}};
  result.images.push_back({"", layOut(figure8, 1)});
  result.images.push_back({"methods", layOut(all, 2)});
  return result;
}

} // namespace

Figure elbowTwistFigure() {
  return {.name = "bb-elbow-twist",
          .paper = kBonesBlendingPaper,
          .title = "Figures 4 and 8: the elbow twisted by 180 degrees",
          .run = runElbowTwist};
}

} // namespace sinew
