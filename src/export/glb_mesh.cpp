#include "export/glb_mesh.h"

#include "model/gltf_origin.h"
#include "rig/rig.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
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
            const GlbVertices& vertices, const std::vector<std::uint32_t>& jointByInfluence,
            GlbBuffer& buffer, GltfJson& out) {
  std::vector<Joints> joints(vertices.size(), Joints{});
  std::vector<vec4> weights(vertices.size(), vec4(0.0f));
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (vertices[v] == kNotInGltf) { // no triangle has it
      if (names.sumTo1 && first == 0) weights[v].x = 1.0f;
      continue;
    }
    const auto of = influences.of(vertices[v]);
    double sum = 0.0;
    for (const Influence& influence : of)
      sum += static_cast<double>(influence.weight);
    if (!names.sumTo1) sum = 1.0;
    for (std::size_t i = first; i < std::min(of.size(), first + 4); ++i) {
      joints[v][i - first] =
          static_cast<typename Joints::value_type>(jointByInfluence[of[i].joint]);
      weights[v][static_cast<int>(i - first)] =
          static_cast<float>(static_cast<double>(of[i].weight) / sum);
    }
  }
  out[fmt::format("{}_{}", names.joints, first / 4)] = buffer.add(std::span<const Joints>(joints));
  out[fmt::format("{}_{}", names.weights, first / 4)] =
      buffer.add(std::span<const vec4>(weights), GlbUse::vertices);
}

void addSets(const Influences& influences, const InfluenceNames& names, const GlbVertices& vertices,
             const std::vector<std::uint32_t>& jointByInfluence, GlbBuffer& buffer, GltfJson& out) {
  // One set at least where there are lists, also if all are empty.
  const std::uint32_t max =
      influences.vertexCount() > 0 ? std::max(maxInfluences(influences), 1u) : 0;
  const bool small =
      std::ranges::all_of(jointByInfluence, [](std::uint32_t joint) { return joint < 256; });
  for (std::uint32_t first = 0; first < max; first += 4)
    if (small)
      addSet<JointSet8>(influences, names, first, vertices, jointByInfluence, buffer, out);
    else
      addSet<JointSet16>(influences, names, first, vertices, jointByInfluence, buffer, out);
}

std::vector<std::uint32_t> indicesTo(std::size_t count) {
  std::vector<std::uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

std::vector<std::uint32_t> listTargets(const Mesh& mesh) {
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

} // namespace

std::vector<GlbMeshParts> glbMeshes(const Model& model) {
  std::vector<GlbMeshParts> out;
  for (const Mesh& mesh : model.meshes) {
    if (mesh.triangles.empty()) continue;
    const std::vector<std::uint32_t> targets = listTargets(mesh);
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

std::string makeName(const GlbMeshParts& mesh) {
  const std::string& first = mesh.parts.front()->name;
  if (mesh.parts.size() == 1 || !first.ends_with("-0")) return first;
  std::string base = first.substr(0, first.size() - 2);
  for (std::size_t i = 1; i < mesh.parts.size(); ++i)
    if (mesh.parts[i]->name != fmt::format("{}-{}", base, i)) return first;
  return base;
}

GlbVertices allVertices(const Mesh& mesh) {
  return indicesTo(mesh.positions.size());
}

std::vector<std::uint32_t> ownJoints(const Model& model, const Mesh& mesh) {
  return indicesTo(mesh.skin ? model.skins[*mesh.skin].joints.size() : 0);
}

void addInfluences(const Mesh& mesh, const GlbVertices& vertices,
                   const std::vector<std::uint32_t>& jointByInfluence, GlbBuffer& buffer,
                   GltfJson& attributes) {
  addSets(mesh.influences, kBones, vertices, jointByInfluence, buffer, attributes);
}

void addSplineInfluences(const Mesh& mesh, const GlbVertices& vertices, GlbBuffer& buffer,
                         GltfJson& attributes) {
  std::uint32_t splines = 0;
  for (const Influence& influence : mesh.splineInfluences.values)
    splines = std::max(splines, influence.joint + 1);
  addSets(mesh.splineInfluences, kSplines, vertices, indicesTo(splines), buffer, attributes);
}

GltfJson morphJson(const Mesh& mesh, std::uint32_t target, const GlbVertices& vertices,
                   const mat3& fileFromModel, bool withNormals, GlbBuffer& buffer) {
  const auto found = std::ranges::find(mesh.morphs, target, &MorphOffsets::target);
  const MorphOffsets none{};
  const MorphOffsets& morph = found != mesh.morphs.end() ? *found : none;
  std::vector<std::uint32_t> entryByVertex(mesh.positions.size(), kNotInGltf);
  for (std::uint32_t i = 0; i < morph.vertices.size(); ++i)
    entryByVertex[morph.vertices[i]] = i;
  std::vector<std::uint32_t> moved;
  std::vector<vec3> positions, normals;
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    const std::uint32_t entry = vertices[v] == kNotInGltf ? kNotInGltf : entryByVertex[vertices[v]];
    if (entry == kNotInGltf) continue;
    moved.push_back(v);
    positions.push_back(fileFromModel * morph.positions[entry]);
    if (withNormals && !morph.normals.empty()) normals.push_back(morph.normals[entry]);
  }
  GltfJson out = {{"POSITION", buffer.addOffsets(moved, positions, vertices.size())}};
  if (!normals.empty()) out["NORMAL"] = buffer.addOffsets(moved, normals, vertices.size());
  return out;
}

GltfJson primitiveJson(const Model& model, const Mesh& mesh,
                       const std::vector<std::uint32_t>& targets,
                       const std::vector<std::uint32_t>& jointByInfluence, GlbBuffer& buffer) {
  GltfJson attributes = GltfJson::object();
  attributes["POSITION"] =
      buffer.add(std::span<const vec3>(mesh.positions), GlbUse::vertices, true);
  const Material& material = model.materials[mesh.material];
  const bool withNormals = !material.flat; // without them, others draw it flat too
  if (withNormals)
    attributes["NORMAL"] = buffer.add(std::span<const vec3>(unitNormals(mesh)), GlbUse::vertices);
  const auto hasTangent = [](const vec4& tangent) { return vec3(tangent) != vec3(0.0f); };
  if (withNormals && !mesh.tangents.empty() &&
      std::ranges::all_of(mesh.tangents, hasTangent)) // else not valid
    attributes["TANGENT"] = buffer.add(std::span<const vec4>(mesh.tangents), GlbUse::vertices);
  std::vector<vec2> texcoords = mesh.texcoords;
  std::vector<vec2> second = mesh.texcoords1;
  if (!material.texturesBySecondSet.empty()) second.resize(mesh.positions.size(), vec2(0.0f));
  if (!listTextures(material).empty() || !second.empty())
    texcoords.resize(mesh.positions.size(), vec2(0.0f));
  if (!texcoords.empty())
    attributes["TEXCOORD_0"] = buffer.add(std::span<const vec2>(texcoords), GlbUse::vertices);
  if (!second.empty())
    attributes["TEXCOORD_1"] = buffer.add(std::span<const vec2>(second), GlbUse::vertices);
  if (!mesh.colors.empty()) {
    std::vector<vec4> colors = mesh.colors;
    for (vec4& c : colors)
      c = glm::clamp(c, 0.0f, 1.0f);
    attributes["COLOR_0"] = buffer.add(std::span<const vec4>(colors), GlbUse::vertices);
  }
  const GlbVertices vertices = allVertices(mesh);
  if (mesh.skin) {
    addInfluences(mesh, vertices, jointByInfluence, buffer, attributes);
    addSplineInfluences(mesh, vertices, buffer, attributes);
  }
  std::vector<std::uint32_t> indices;
  indices.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    indices.insert(indices.end(), t.begin(), t.end());
  GltfJson out = {{"attributes", std::move(attributes)},
                  {"indices", buffer.add(std::span<const std::uint32_t>(indices))},
                  {"mode", 4}};
  for (const std::uint32_t target : targets)
    out["targets"].push_back(morphJson(mesh, target, vertices, mat3(1.0f), withNormals, buffer));
  return out;
}

GltfJson meshJson(const Model& model, const GlbMeshParts& mesh, GlbBuffer& buffer) {
  GltfJson made = {{"name", makeName(mesh)}};
  for (const Mesh* part : mesh.parts) {
    GltfJson primitive = primitiveJson(model, *part, mesh.targets, ownJoints(model, *part), buffer);
    primitive["material"] = part->material;
    made["primitives"].push_back(std::move(primitive));
  }
  for (const std::uint32_t target : mesh.targets) {
    made["weights"].push_back(shortNumber(model.morphTargets[target].weight));
    made["extras"]["targetNames"].push_back(model.morphTargets[target].name);
  }
  return made;
}

} // namespace sinew
