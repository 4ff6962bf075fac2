#include "export/glb_mesh.h"

#include "rig/rig.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <iterator>
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

// What influences are of, as attributes of the file.
struct InfluenceNames {
  const char* joints;
  const char* weights;
  bool sumTo1;
};
constexpr InfluenceNames kBones{"JOINTS", "WEIGHTS", true};
constexpr InfluenceNames kSplines{"_SPLINES", "_SPLINE_WEIGHTS", false};

// One set of a mesh's influences, from the `first` on; what a vertex has not is joint 0, weight 0.
template <class Joints>
void addSet(const Influences& influences, const InfluenceNames& names, std::size_t first,
            GlbBuffer& buffer, tinygltf::Primitive& out) {
  std::vector<Joints> joints(influences.vertexCount(), Joints{});
  std::vector<vec4> weights(influences.vertexCount(), vec4(0.0f));
  for (std::size_t v = 0; v < influences.vertexCount(); ++v) {
    const auto of = influences.of(v);
    double sum = 0.0;
    for (const Influence& influence : of)
      sum += static_cast<double>(influence.weight);
    if (!names.sumTo1) sum = 1.0;
    for (std::size_t i = first; i < std::min(of.size(), first + 4); ++i) {
      joints[v][i - first] = static_cast<typename Joints::value_type>(of[i].joint);
      weights[v][static_cast<int>(i - first)] =
          static_cast<float>(static_cast<double>(of[i].weight) / sum);
    }
  }
  out.attributes[fmt::format("{}_{}", names.joints, first / 4)] =
      buffer.add(std::span<const Joints>(joints));
  out.attributes[fmt::format("{}_{}", names.weights, first / 4)] =
      buffer.add(std::span<const vec4>(weights), GlbUse::vertices);
}

void addInfluences(const Influences& influences, const InfluenceNames& names,
                   std::size_t jointCount, GlbBuffer& buffer, tinygltf::Primitive& out) {
  // One set at least where there are lists, also if all are empty.
  const std::uint32_t max =
      influences.vertexCount() > 0 ? std::max(maxInfluences(influences), 1u) : 0;
  for (std::uint32_t first = 0; first < max; first += 4)
    if (jointCount <= 256)
      addSet<JointSet8>(influences, names, first, buffer, out);
    else
      addSet<JointSet16>(influences, names, first, buffer, out);
}

// The part's offsets by the mesh's targets: zero by those that do not move it.
void addMorphs(const Mesh& part, const std::vector<std::uint32_t>& targets, GlbBuffer& buffer,
               tinygltf::Primitive& out) {
  const std::size_t count = part.positions.size();
  for (const std::uint32_t target : targets) {
    const auto found = std::ranges::find(part.morphs, target, &MorphOffsets::target);
    const MorphOffsets morph = found != part.morphs.end() ? *found : MorphOffsets{};
    std::map<std::string, int> made;
    made["POSITION"] = buffer.addOffsets(morph.vertices, morph.positions, count);
    if (!morph.normals.empty())
      made["NORMAL"] = buffer.addOffsets(morph.vertices, morph.normals, count);
    out.targets.push_back(std::move(made));
  }
}

std::vector<std::uint32_t> targetsOf(const Mesh& mesh) {
  std::vector<std::uint32_t> out;
  for (const MorphOffsets& morph : mesh.morphs)
    out.push_back(morph.target);
  std::sort(out.begin(), out.end());
  return out;
}

// Whether the mesh moves with the others and by some of their targets.
bool belongsTo(const Mesh& mesh, const std::vector<std::uint32_t>& targets,
               const GlbMeshParts& others) {
  const Mesh& first = *others.parts.front();
  std::vector<std::uint32_t> common;
  std::ranges::set_intersection(targets, others.targets, std::back_inserter(common));
  return !common.empty() && mesh.skin == first.skin && (mesh.skin || mesh.node == first.node);
}

tinygltf::Primitive primitiveOf(const Model& model, const Mesh& mesh,
                                const std::vector<std::uint32_t>& targets, GlbBuffer& buffer) {
  tinygltf::Primitive out;
  out.mode = TINYGLTF_MODE_TRIANGLES;
  out.material = static_cast<int>(mesh.material);
  out.attributes["POSITION"] =
      buffer.add(std::span<const vec3>(mesh.positions), GlbUse::vertices, true);
  out.attributes["NORMAL"] = buffer.add(std::span<const vec3>(unitNormals(mesh)), GlbUse::vertices);
  const auto hasTangent = [](const vec4& tangent) { return vec3(tangent) != vec3(0.0f); };
  if (!mesh.tangents.empty() && std::ranges::all_of(mesh.tangents, hasTangent)) // else not valid
    out.attributes["TANGENT"] = buffer.add(std::span<const vec4>(mesh.tangents), GlbUse::vertices);
  std::vector<vec2> texcoords = mesh.texcoords;
  const Material& material = model.materials[mesh.material];
  if (material.texture || material.normalTexture)
    texcoords.resize(mesh.positions.size(), vec2(0.0f));
  if (!texcoords.empty())
    out.attributes["TEXCOORD_0"] = buffer.add(std::span<const vec2>(texcoords), GlbUse::vertices);
  if (!mesh.colors.empty()) {
    std::vector<vec4> colors = mesh.colors;
    for (vec4& c : colors)
      c = glm::clamp(c, 0.0f, 1.0f);
    out.attributes["COLOR_0"] = buffer.add(std::span<const vec4>(colors), GlbUse::vertices);
  }
  if (mesh.skin) {
    addInfluences(mesh.influences, kBones, model.skins[*mesh.skin].joints.size(), buffer, out);
    addInfluences(mesh.splineInfluences, kSplines, model.splines.size(), buffer, out);
  }
  std::vector<std::uint32_t> indices;
  indices.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    indices.insert(indices.end(), t.begin(), t.end());
  out.indices = buffer.add(std::span<const std::uint32_t>(indices));
  addMorphs(mesh, targets, buffer, out);
  return out;
}

} // namespace

std::vector<GlbMeshParts> glbMeshes(const Model& model) {
  std::vector<GlbMeshParts> out;
  for (const Mesh& mesh : model.meshes) {
    if (mesh.triangles.empty()) continue;
    const std::vector<std::uint32_t> targets = targetsOf(mesh);
    const auto same = std::ranges::find_if(
        out, [&](const GlbMeshParts& others) { return belongsTo(mesh, targets, others); });
    GlbMeshParts& parts = same != out.end() ? *same : out.emplace_back();
    parts.parts.push_back(&mesh);
    std::vector<std::uint32_t> all;
    std::ranges::set_union(parts.targets, targets, std::back_inserter(all));
    parts.targets = std::move(all);
  }
  return out;
}

std::string nameOf(const GlbMeshParts& mesh) {
  const std::string& first = mesh.parts.front()->name;
  if (mesh.parts.size() == 1 || !first.ends_with("-0")) return first;
  std::string base = first.substr(0, first.size() - 2);
  for (std::size_t i = 1; i < mesh.parts.size(); ++i)
    if (mesh.parts[i]->name != fmt::format("{}-{}", base, i)) return first;
  return base;
}

tinygltf::Mesh glbMesh(const Model& model, const GlbMeshParts& mesh, GlbBuffer& buffer) {
  tinygltf::Mesh made;
  made.name = nameOf(mesh);
  for (const Mesh* part : mesh.parts)
    made.primitives.push_back(primitiveOf(model, *part, mesh.targets, buffer));
  tinygltf::Value::Array names;
  for (const std::uint32_t target : mesh.targets) {
    names.emplace_back(model.morphTargets[target].name);
    made.weights.push_back(static_cast<double>(model.morphTargets[target].weight));
  }
  if (!names.empty())
    made.extras = tinygltf::Value({{"targetNames", tinygltf::Value(std::move(names))}});
  return made;
}

} // namespace sinew
