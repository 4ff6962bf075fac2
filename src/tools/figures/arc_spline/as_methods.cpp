// Figure 1: the same bend and the same twist by matrix skinning, by a free-form deformation lattice
// of 7 segments and by an arc-spline.
#include "demo/rigging.h"
#include "metrics/curvature.h"
#include "model/shapes.h"
#include "tools/figures/arc_spline/ffd.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr float kHalfLength = 1.0f;
constexpr float kRadius = 0.17f;
constexpr float kZone = 0.6f; // length of the bend on each side of the middle joint

// Bones from the left end to the middle and from there to the right.
Model rigOfBar() {
  constexpr std::array kJoints = {JointSpec{"Left", "", {-kHalfLength, 0, 0}},
                                  JointSpec{"Right", "Left", {0, 0, 0}}};
  return makeSkeleton("bar", kJoints);
}

void addMesh(Model& model, Mesh mesh) {
  mesh.skin = 0;
  for (const vec3& p : mesh.positions) {
    const float right = smoothStep(p.x, kZone);
    appendWeights(mesh.influences, std::array{1.0f - right, right});
  }
  model.meshes.push_back(std::move(mesh));
}

Model makeBar() {
  constexpr std::uint32_t kSegments = 32;
  constexpr int kRings = 97;
  std::vector<Ring> rings;
  for (int i = 0; i < kRings; ++i) {
    const float x = kHalfLength * (2.0f * static_cast<float>(i) / (kRings - 1) - 1.0f);
    rings.push_back({vec3(x, 0, 0), vec3(0, kRadius, 0), vec3(0, 0, kRadius)});
  }
  Model model = rigOfBar();
  addMesh(model, toMesh(sweep(vec3(-kHalfLength - 0.01f, 0, 0), rings,
                              vec3(kHalfLength + 0.01f, 0, 0), kSegments),
                        "bar"));
  Material material;
  material.baseColor = {0.86f, 0.62f, 0.30f, 1.0f};
  material.texture = 0;
  model.materials.push_back(material);
  model.textures.push_back(gridTexture(6, 28));
  return model;
}

Pose poseOfBar(const Model& model, float bend, float twist) {
  Pose pose = restPose(model.hierarchy);
  pose.parentFromNode[1].rotation =
      rotationAbout(vec3(0, 0, 1), bend) * rotationAbout(vec3(1, 0, 0), twist);
  return pose;
}

Choice splineChoice() {
  return {"arc-spline",
          "parameter-source=zone,attachments=1",
          {Zone{-0.5f, 0.5f}, Zone{-kZone, kZone}}};
}

// The lattice's corners deformed by the spline, as vertices of a mesh.
Lattice bentLattice(const Pose& pose) {
  const vec3 corner(kHalfLength + 0.01f, kRadius, kRadius);
  Lattice lattice = makeLattice({-corner, corner}, {7, 1, 1});
  Model model = rigOfBar();
  Mesh mesh;
  mesh.positions = lattice.points;
  mesh.normals.assign(mesh.positions.size(), vec3(0, 1, 0));
  addMesh(model, std::move(mesh));
  lattice.points = posedPositions(poseBy(model, splineChoice(), pose));
  return lattice;
}

Overlay drawEdges(const Lattice& lattice) {
  Overlay overlay;
  const glm::uvec3 n = lattice.segments;
  for (std::uint32_t z = 0; z <= n.z; ++z)
    for (std::uint32_t y = 0; y <= n.y; ++y)
      for (std::uint32_t x = 0; x <= n.x; ++x)
        for (const glm::uvec3 step :
             {glm::uvec3(1, 0, 0), glm::uvec3(0, 1, 0), glm::uvec3(0, 0, 1)})
          if (const glm::uvec3 to = glm::uvec3(x, y, z) + step;
              to.x <= n.x && to.y <= n.y && to.z <= n.z)
            addRod(overlay, lattice.points[lattice.index({x, y, z})],
                   lattice.points[lattice.index(to)], 0.005f, {50, 60, 150, 255});
  return overlay;
}

// A method in a pose, and its picture.
struct Deformed {
  std::string name;
  std::string caption;
  std::vector<vec3> positions;
  Workbench shown;
  std::vector<Overlay> overlays = {};
};

std::vector<Deformed> deformations(const Model& bar, const Pose& pose) {
  std::vector<Deformed> out;
  Workbench matrices = poseBy(bar, {"lbs"}, pose);
  Workbench spline = poseBy(bar, splineChoice(), pose);
  const Lattice lattice = bentLattice(pose);
  std::vector<vec3> inLattice;
  for (const vec3& p : bar.meshes[0].positions)
    inLattice.push_back(deform(lattice, p));
  Workbench still = stillMesh(bar, inLattice);
  out.push_back({"matrix skinning", "matrix skinning", posedPositions(matrices), matrices});
  out.push_back({"ffd", "lattice of 7 segments", inLattice, still, {drawEdges(lattice)}});
  out.push_back({"arc-spline", "arc-spline", posedPositions(spline), spline});
  return out;
}

// The largest angle between neighbouring triangles, degrees, without the bar's flat ends.
double sharpestEdge(const Rig& rig, const JointProbe& probe, std::span<const vec3> positions) {
  std::vector<std::uint32_t> side;
  for (std::uint32_t i = 0; i < rig.triangles.size(); ++i)
    if (std::ranges::all_of(rig.triangles[i], [&](std::uint32_t v) {
          return std::abs(rig.positions[v].x) < 0.95f * kHalfLength;
        }))
      side.push_back(i);
  const auto each = triangleCurvatures(positions, rig.triangles, probe.neighbours);
  return glm::degrees(double{findLargest(each, side)});
}

struct Scene {
  const char* name;
  float bend, twist;
};

FigureResult runBendMethods(const FigureOptions& /*options*/) {
  const Model bar = makeBar();
  const Rig rig = buildRig(bar);
  const JointProbe probe = probeJoint(bar, rig, 1);
  FigureResult result;
  Table table{"a bar bent by 120 degrees, and twisted by 180",
              {{"pose", ""},
               {"method", ""},
               {"volume", ""},
               {"thinnest_slice", ""},
               {"sharpest_edge", "degrees", 1},
               {"largest_stretch", ""}},
              {}};
  std::vector<Tile> tiles;
  for (const Scene& scene : {Scene{"bend", 120.0f, 0.0f}, Scene{"twist", 0.0f, 180.0f}}) {
    const Pose pose = poseOfBar(bar, scene.bend, scene.twist);
    const std::vector<Deformed> all = deformations(bar, pose);
    for (const Deformed& each : all) {
      const MethodMetrics f =
          computeMetrics(probe, rig, each.name, each.positions, all[0].positions);
      const double sharpest = sharpestEdge(rig, probe, each.positions);
      table.rows.push_back({scene.name, each.name, double{f.volume}, double{f.surfaceSection},
                            sharpest, double{f.largestStretch}});
      result.numbers[scene.name][each.name] = {{"volume", f.volume},
                                               {"thinnest_slice", f.surfaceSection},
                                               {"sharpest_edge_degrees", sharpest}};
      Shot shot{.width = 420, .height = 400, .pitch = 12.0f, .overlays = each.overlays};
      shot.frame = scene.bend > 0.0f ? Bounds{{-1.0f, -0.25f, -0.2f}, {0.35f, 1.0f, 0.2f}}
                                     : Bounds{{-0.75f, -0.25f, -0.2f}, {0.75f, 0.25f, 0.2f}};
      if (scene.bend == 0.0f) shot.height = 180;
      tiles.push_back({shoot(each.shown, shot), each.caption});
    }
  }
  const auto number = [&](std::size_t row, std::size_t column) {
    return std::get<double>(table.rows[row][column]);
  };
  result.says = "matrix skinning collapses for large deformations, free-form deformation by a "
                "lattice of 7 segments has sharp edges where its cells meet, the spline is smooth";
  result.measured = fmt::format(
      "bent by 120 degrees the bar's thinnest slice keeps {:.2f} of its radius by matrix skinning, "
      "{:.2f} in the lattice and {:.2f} by the spline, and the sharpest edges are {:.0f}, {:.0f} "
      "and "
      "{:.0f} degrees; twisted by 180 degrees {:.2f}, {:.2f} and {:.2f} are left of the radius; "
      "both "
      "lattice and spline cut the corner, which shortens the bar",
      number(0, 3), number(1, 3), number(2, 3), number(0, 4), number(1, 4), number(2, 4),
      number(3, 3), number(4, 3), number(5, 3));
  result.tables.push_back({"", std::move(table)});
  const std::span all(tiles);
  result.images.push_back({"", layOut(all.first(3), 3)});
  result.images.push_back({"twist", layOut(all.last(3), 3)});
  return result;
}

} // namespace

Figure bendMethodsFigure() {
  return {.name = "as-methods",
          .paper = kArcSplinePaper,
          .title = "Figure 1: the same bend by matrices, a lattice of 7 segments and a spline",
          .run = runBendMethods};
}

} // namespace sinew
