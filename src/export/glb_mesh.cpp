#include "export/glb_mesh.h"

#include "rig/rig.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace sinew {
namespace {

std::vector<vec3> unitNormals(const Mesh& mesh) {
  std::vector<vec3> out = mesh.normals;
  for (vec3& n : out) {
    const float length = glm::length(n);
    n = length > 0.0f ? n / length : vec3(0, 1, 0);
  }
  return out;
}

// One set of a mesh's influences, from the `first` on; what a vertex has not is joint 0, weight 0.
template <class Joints>
void addSet(const Influences& influences, std::size_t first, std::size_t set, GlbBuffer& buffer,
            tinygltf::Primitive& out) {
  std::vector<Joints> joints(influences.vertexCount(), Joints{});
  std::vector<vec4> weights(influences.vertexCount(), vec4(0.0f));
  for (std::size_t v = 0; v < influences.vertexCount(); ++v) {
    const auto of = influences.of(v);
    double sum = 0.0;
    for (const Influence& influence : of)
      sum += static_cast<double>(influence.weight);
    for (std::size_t i = first; i < std::min(of.size(), first + 4); ++i) {
      joints[v][i - first] = static_cast<typename Joints::value_type>(of[i].joint);
      weights[v][static_cast<int>(i - first)] =
          static_cast<float>(static_cast<double>(of[i].weight) / sum);
    }
  }
  out.attributes[fmt::format("JOINTS_{}", set)] = buffer.add(std::span<const Joints>(joints));
  out.attributes[fmt::format("WEIGHTS_{}", set)] =
      buffer.add(std::span<const vec4>(weights), GlbUse::vertices);
}

void addInfluences(const Mesh& mesh, std::size_t jointCount, GlbBuffer& buffer,
                   tinygltf::Primitive& out) {
  const std::uint32_t max = maxInfluences(mesh.influences);
  for (std::uint32_t first = 0; first < max; first += 4)
    if (jointCount <= 256)
      addSet<JointSet8>(mesh.influences, first, first / 4, buffer, out);
    else
      addSet<JointSet16>(mesh.influences, first, first / 4, buffer, out);
}

} // namespace

// The targets of all morphs of the mesh, their names and rest weights.
void addMorphs(const Model& model, const Mesh& mesh, GlbBuffer& buffer, tinygltf::Primitive& out,
               tinygltf::Mesh& made) {
  tinygltf::Value::Array names;
  // A target without normals is read as one whose normals do not change: all have them or none.
  const bool normals = std::ranges::all_of(
      mesh.morphs, [](const MorphOffsets& morph) { return !morph.normals.empty(); });
  for (const MorphOffsets& morph : mesh.morphs) {
    const std::size_t count = mesh.positions.size();
    std::map<std::string, int> target;
    target["POSITION"] = buffer.addOffsets(morph.vertices, morph.positions, count);
    if (normals) target["NORMAL"] = buffer.addOffsets(morph.vertices, morph.normals, count);
    out.targets.push_back(std::move(target));
    const MorphTarget& of = model.morphTargets[morph.target];
    names.emplace_back(of.name);
    made.weights.push_back(static_cast<double>(of.weight));
  }
  if (!names.empty())
    made.extras = tinygltf::Value({{"targetNames", tinygltf::Value(std::move(names))}});
}

tinygltf::Mesh glbMesh(const Model& model, const Mesh& mesh, GlbBuffer& buffer) {
  tinygltf::Primitive out;
  out.mode = TINYGLTF_MODE_TRIANGLES;
  out.material = static_cast<int>(mesh.material);
  out.attributes["POSITION"] =
      buffer.add(std::span<const vec3>(mesh.positions), GlbUse::vertices, true);
  out.attributes["NORMAL"] = buffer.add(std::span<const vec3>(unitNormals(mesh)), GlbUse::vertices);
  std::vector<vec2> texcoords = mesh.texcoords;
  if (model.materials[mesh.material].texture) texcoords.resize(mesh.positions.size(), vec2(0.0f));
  if (!texcoords.empty())
    out.attributes["TEXCOORD_0"] = buffer.add(std::span<const vec2>(texcoords), GlbUse::vertices);
  if (!mesh.colors.empty()) {
    std::vector<vec4> colors = mesh.colors;
    for (vec4& c : colors)
      c = glm::clamp(c, 0.0f, 1.0f);
    out.attributes["COLOR_0"] = buffer.add(std::span<const vec4>(colors), GlbUse::vertices);
  }
  if (mesh.skin) addInfluences(mesh, model.skins[*mesh.skin].joints.size(), buffer, out);
  std::vector<std::uint32_t> indices;
  indices.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    indices.insert(indices.end(), t.begin(), t.end());
  out.indices = buffer.add(std::span<const std::uint32_t>(indices));
  tinygltf::Mesh made;
  made.name = mesh.name;
  addMorphs(model, mesh, buffer, out, made);
  made.primitives.push_back(std::move(out));
  return made;
}

} // namespace sinew
