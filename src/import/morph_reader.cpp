#include "import/morph_reader.h"

#include "import/assimp_types.h"
#include "import/usable.h"
#include "model/morph_targets.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

// From the mesh's values to the target's, which hold the moved vertices themselves.
std::vector<vec3> offsetsTo(const aiVector3D* moved, const std::vector<vec3>& from,
                            RepairLog& repairs) {
  if (moved == nullptr || from.empty()) return {};
  std::vector<vec3> out;
  out.reserve(from.size());
  for (std::size_t v = 0; v < from.size(); ++v) {
    out.push_back(toVec3(moved[v]) - from[v]);
    if (isUsable(out.back())) continue;
    out.back() = vec3(0.0f);
    repairs.add(Repair::morphOffsetNotFinite);
  }
  return out;
}

// The target of a node's i-th anim mesh: parts of one mesh have the same ones in the same order.
std::uint32_t targetAt(std::size_t i, const std::string& name, float weight,
                       std::vector<std::uint32_t>& ofNode, Model& model) {
  if (i < ofNode.size() && model.morphTargets[ofNode[i]].name == name) return ofNode[i];
  const auto target = static_cast<std::uint32_t>(model.morphTargets.size());
  model.morphTargets.push_back({name, weight});
  if (i >= ofNode.size()) ofNode.push_back(target);
  return target;
}

} // namespace

void readMorphs(const aiMesh& source, std::uint32_t node, Mesh& mesh, RepairLog& repairs,
                MorphsOfNodes& morphs, Model& model) {
  for (unsigned i = 0; i < source.mNumAnimMeshes; ++i) {
    if (source.mAnimMeshes[i] == nullptr) continue;
    const aiAnimMesh& moved = *source.mAnimMeshes[i];
    std::string name = toString(moved.mName);
    if (name.empty()) name = fmt::format("target {}", i);
    float weight = moved.mWeight;
    if (!isUsable(weight)) {
      weight = 0.0f;
      repairs.add(Repair::morphWeightNotFinite);
    }
    const std::uint32_t target = targetAt(i, name, weight, morphs[node], model);
    if (moved.mNumVertices != mesh.positions.size()) {
      model.warnings.push_back(
          fmt::format("morph target '{}' of mesh '{}' has {} vertices, the mesh {}: left out", name,
                      mesh.name, moved.mNumVertices, mesh.positions.size()));
      continue;
    }
    std::vector<vec3> positions = offsetsTo(moved.mVertices, mesh.positions, repairs);
    positions.resize(mesh.positions.size(), vec3(0.0f));
    MorphOffsets offsets =
        sparseOffsets(target, positions, offsetsTo(moved.mNormals, mesh.normals, repairs));
    if (!offsets.vertices.empty()) mesh.morphs.push_back(std::move(offsets));
  }
}

} // namespace sinew
