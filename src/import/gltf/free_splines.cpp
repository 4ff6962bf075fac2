#include "import/gltf/steps.h"
#include "import/repairs.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

FreeSpline readSpline(const GltfDocument& document, const GltfNodes& nodes,
                      const GltfJson& source) {
  FreeSpline out;
  out.name = textIn(source, "name");
  const GltfJson& carriers = arrayIn(source, "nodes");
  const GltfJson& points = arrayIn(source, "points");
  if (carriers.size() != 3 || points.size() != 3)
    throw GltfError("a spline has not three nodes and three points");
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t node = asIndex(carriers[i], "nodes");
    document.item("nodes", node); // exists
    out.nodes[i] = nodes.nodeByFileNode[node];
    if (out.nodes[i] == kNoNode) throw GltfError("a node of a spline is not in the scene");
    const std::vector<float> place = numbersIn({{"point", points[i]}}, "point", 3);
    for (int k = 0; k < 3; ++k)
      out.points[i][k] = place[static_cast<std::size_t>(k)];
    if (!isUsable(out.points[i])) throw GltfError("a point of a spline is not usable");
  }
  return out;
}

bool binds(const Skin& skin, const FreeSpline& spline) {
  return std::ranges::all_of(spline.nodes, [&](std::uint32_t node) {
    return std::ranges::find(skin.joints, node, &SkinJoint::node) != skin.joints.end();
  });
}

} // namespace

std::vector<FreeSpline> readGltfSplines(const GltfDocument& document, const GltfNodes& nodes,
                                        Model& model) {
  std::vector<FreeSpline> out;
  const GltfJson* extras = memberIn(document.root(), "extras");
  if (extras == nullptr || !extras->is_object()) return out;
  const GltfJson* own = memberIn(*extras, "sinew");
  if (own == nullptr || !own->is_object()) return out;
  try {
    for (const GltfJson& source : arrayIn(*own, "splines"))
      out.push_back(readSpline(document, nodes, source));
  } catch (const GltfError& problem) {
    model.warnings.push_back(fmt::format("free splines are left out: {}", problem.what()));
    out.clear();
  }
  return out;
}

void dropUnboundSplines(Model& model) {
  const auto bound = [&](const FreeSpline& spline) {
    return std::ranges::any_of(model.skins, [&](const Skin& skin) { return binds(skin, spline); });
  };
  const auto follows = [&](const Mesh& mesh) {
    return std::ranges::all_of(mesh.splineInfluences.values, [&](const Influence& influence) {
      return binds(model.skins[*mesh.skin], model.splines[influence.joint]);
    });
  };
  if (std::ranges::all_of(model.splines, bound) && std::ranges::all_of(model.meshes, follows))
    return;
  model.warnings.push_back("free splines are left out: a skin does not bind their nodes");
  model.splines.clear();
  for (Mesh& mesh : model.meshes)
    mesh.splineInfluences = {};
}

} // namespace sinew
