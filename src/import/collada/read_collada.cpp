#include "animation/pose.h"
#include "import/append_node.h"
#include "import/collada/steps.h"
#include "import/readers.h"

#include <cmath>

namespace sinew {
namespace {

// The size of the joints and the meshes at rest: what "small" is relative to.
float sizeOfModel(const Hierarchy& hierarchy, const Model& model) {
  Bounds bounds;
  const std::vector<mat4> places = modelFromNodes(hierarchy, restPose(hierarchy));
  for (const mat4& m : places)
    if (isFinite(m)) bounds.include(vec3(m[3]));
  for (const Mesh& mesh : model.meshes) {
    const mat4 matrix = mesh.skin ? mat4(1.0f) : places[mesh.node];
    for (const vec3& p : mesh.positions)
      bounds.include(transformPoint(matrix, p));
  }
  return bounds.empty() ? 1.0f : bounds.size();
}

} // namespace

Model readCollada(const SourceFile& file, const ImportOptions& options) try {
  Model model = startModel(file);
  ColladaDocument document(file, options);
  const pugi::xml_node unit = document.root().child("asset").child("unit");
  const auto meters = static_cast<float>(colladaNumber(unit.attribute("meter"), 1.0));
  model.metersPerUnit = meters > 0.0f && std::isfinite(meters) ? meters : 1.0f;
  reportImport(options, 0.4f, "meshes");
  RepairLog repairs;
  UnusedCounts unused;
  ColladaNodes nodes = readColladaNodes(document, repairs);
  readColladaSceneParts(document, nodes, unused);
  ColladaMaterials materials(document, unused, model);
  ColladaControllers controllers(document, model);
  readColladaMeshes(document, nodes, materials, controllers, repairs, unused, model);
  if (model.materials.empty()) materials.fallback();
  reportImport(options, 0.8f, "animation");
  readColladaClips(document, nodes, controllers, sizeOfModel(nodes.hierarchy, model), repairs,
                   unused, model);
  makeNamesUnique(nodes.hierarchy); // bones without a node have got one
  if (const std::string line = unused.line(); !line.empty())
    model.warnings.push_back("not used: " + line);
  model.hierarchy = std::move(nodes.hierarchy);
  model.repairs = repairs.lines();
  return model;
} catch (const ColladaError& error) {
  throw notUsable(file, error);
}

} // namespace sinew
