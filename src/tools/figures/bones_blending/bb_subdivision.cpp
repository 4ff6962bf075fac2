// Figure 7: triangles around a joint divided 1:3 and 1:4, and 1:4 without dividing the neighbours,
// which leaves T-vertices, where cracks open when the joint moves.
#include "demo/models.h"
#include "tools/figures/bones_blending/split_alone.h"
#include "tools/figures/bones_blending/zone_binding.h"
#include "tools/figures/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// A mesh, the joint around which it is divided, and the pose in which cracks are measured.
struct DividedScene {
  std::string name;
  Model model;
  std::string_view joint;
  Choice choice;
  Pose pose;
};

struct Variant {
  std::string name;
  std::string caption;
  Model model;
  std::vector<TVertex> tVertices = {};
};

std::vector<Variant> listVariants(const Model& model, std::string_view name) {
  const Rig rig = buildRig(model);
  const std::vector<std::uint32_t> joint = {rigJoint(rig, model, name)};
  std::vector<Variant> variants;
  variants.push_back({"original", "original", model});
  variants.push_back({"1to3", "a) 1:3", subdivideJoints(model, joint, Subdivision::centroid)});
  variants.push_back({"1to4", "b) 1:4", subdivideJoints(model, joint, Subdivision::midpoints)});
  SplitAlone split = splitAlone(model.meshes[0], trianglesOfJoint(rig, joint[0]));
  Model alone = model;
  alone.meshes[0] = std::move(split.mesh);
  variants.push_back({"1to4_alone", "1:4, neighbours left whole: T-vertices", std::move(alone),
                      std::move(split.tVertices)});
  return variants;
}

// The worst of the new triangles, those with a new vertex; NaN without any.
double worstSlenderness(const Model& variant, const Model& original) {
  double worst = std::numeric_limits<double>::quiet_NaN();
  const Mesh& mesh = variant.meshes[0];
  const std::size_t oldVertices = original.meshes[0].positions.size();
  for (const auto& [a, b, c] : mesh.triangles)
    if (std::max({a, b, c}) >= oldVertices)
      worst =
          std::fmax(worst, slenderness(mesh.positions[a], mesh.positions[b], mesh.positions[c]));
  return worst;
}

Overlay drawMarkers(const Variant& variant, std::span<const vec3> posed, float size) {
  Overlay markers;
  for (const TVertex& t : variant.tVertices) {
    const vec3 p = posed[t.middle];
    addRod(markers, p - vec3(0, size, 0), p + vec3(0, size, 0), size, {225, 30, 30, 255});
  }
  return markers;
}

Table emptyTable() {
  return {"subdivision about a joint",
          {{"mesh", ""},
           {"divided", ""},
           {"vertices", "", 0},
           {"triangles", "", 0},
           {"t_vertices", "", 0},
           {"widest_crack", "mm", 3},
           {"most_slender_triangle", "R/r", 1}},
          {}};
}

void addRows(const DividedScene& scene, FigureResult& result, Table& table) {
  for (const Variant& variant : listVariants(scene.model, scene.joint)) {
    const Mesh& mesh = variant.model.meshes[0];
    const auto tVertices = countTVertices(mesh.positions, mesh.triangles);
    const Workbench workbench = poseBy(variant.model, scene.choice, scene.pose);
    const double crack = 1000.0 * widestCrack(variant.tVertices, posedPositions(workbench));
    const double slender = worstSlenderness(variant.model, scene.model);
    table.rows.push_back({scene.name, variant.name, static_cast<double>(mesh.positions.size()),
                          static_cast<double>(mesh.triangles.size()),
                          static_cast<double>(tVertices), crack, slender});
    result.numbers[scene.name][variant.name] = {{"vertices", mesh.positions.size()},
                                                {"triangles", mesh.triangles.size()},
                                                {"t_vertices", tVertices},
                                                {"widest_crack_mm", crack},
                                                {"most_slender_triangle", slender}};
  }
}

Image wireframes(const DividedScene& arm) {
  std::vector<Tile> tiles;
  for (const Variant& variant : listVariants(arm.model, arm.joint)) {
    const Workbench workbench =
        poseBy(variant.model, arm.choice, restPose(variant.model.hierarchy));
    tiles.push_back(
        {shoot(workbench, {.width = 620,
                           .height = 260,
                           .pitch = 14.0f,
                           .frame = around(vec3(0.30f, 0, 0), 0.105f),
                           .textures = false,
                           .wireframe = true,
                           .overlays = {drawMarkers(variant, workbench.rig.positions, 0.002f)}}),
         variant.caption});
  }
  return layOut(tiles, 2);
}

FigureResult run(const FigureOptions& /*options*/) {
  const ZoneBound arm = paperArm(makeCoarseArm(), 0.15f);
  const Model body = makeBodyArm();
  const DividedScene elbow{"arm, elbow", arm.model, "LowerArm", arm.choice("bones-blending"),
                           elbowPose(arm.model, 90.0f, 90.0f)};
  const DividedScene shoulder{"body-arm, shoulder",
                              body,
                              "Arm",
                              {"bones-blending"},
                              clipPose(body, "bend-and-twists", 2.0f)};
  FigureResult result;
  Table table = emptyTable();
  addRows(elbow, result, table);
  addRows(shoulder, result, table);
  const auto number = [&](std::size_t row, std::size_t column) {
    return std::get<double>(table.rows[row][column]);
  };
  result.says = "1:4 produces T-vertices, corrected by induced division of the neighbours; 1:3 "
                "tends to long triangles; 1:4 offers quality, 1:3 speed";
  result.measured = fmt::format(
      "T-vertices about the elbow: {} with 1:3, {} with 1:4, {} with 1:4 where the neighbours are "
      "left whole; about the body-arm's shoulder 0, 0 and {}, which then open cracks of {:.1f} mm; "
      "most slender new triangle, circumscribed over inscribed radius (2 is the best): {:.1f} with "
      "1:3, {:.1f} with 1:4",
      number(1, 4), number(2, 4), number(3, 4), number(7, 4), number(7, 5), number(1, 6),
      number(2, 6));
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", wireframes(elbow)});
  return result;
}

} // namespace

Figure subdivisionFigure() {
  return {.name = "bb-subdivision",
          .paper = kBonesBlendingPaper,
          .title = "Figure 7: triangles divided 1:3 and 1:4 about the elbow",
          .run = run};
}

} // namespace sinew
