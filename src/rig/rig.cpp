#include "rig/rig.h"

#include "core/lists.h"
#include "model/mesh.h"
#include "rig/rig_steps.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace sinew {
namespace {

bool sameJoints(const Skin& a, const Skin& b) {
  return std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(), b.joints.end(),
                    [](const SkinJoint& x, const SkinJoint& y) {
                      return x.node == y.node && x.jointFromBind == y.jointFromBind;
                    });
}

// Appends a skin's joints, each with its nearest ancestor in the same skin.
void appendJoints(const Hierarchy& hierarchy, const Skin& skin, std::vector<RigJoint>& joints) {
  std::map<std::uint32_t, std::uint32_t> jointOfNode;
  for (const SkinJoint& joint : skin.joints) {
    jointOfNode.emplace(joint.node, static_cast<std::uint32_t>(joints.size()));
    joints.push_back({.node = joint.node, .jointFromBind = joint.jointFromBind});
  }
  for (const auto& [node, joint] : jointOfNode)
    for (std::uint32_t up = hierarchy.nodes[node].parent; up != kNoNode;
         up = hierarchy.nodes[up].parent)
      if (const auto found = jointOfNode.find(up); found != jointOfNode.end()) {
        joints[joint].ancestor = joints[joint].parent = found->second;
        break;
      }
}

template <class T>
void appendOr(std::vector<T>& out, const std::vector<T>& values, std::size_t count,
              const T& other) {
  if (values.size() == count)
    out.insert(out.end(), values.begin(), values.end());
  else
    out.insert(out.end(), count, other);
}

// The mesh's own, or those of its texture coordinates where it has none.
void fillTangents(const Model& model, Rig& rig) {
  rig.tangents.assign(rig.positions.size(), vec4(0.0f, 0.0f, 0.0f, 1.0f));
  bool shown = false;
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    const Mesh& mesh = model.meshes[m];
    if (mesh.material >= model.materials.size() ||
        !showsNormalMap(model, model.materials[mesh.material]))
      continue;
    shown = true;
    std::vector<vec4> computed;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      vec4& tangent = rig.tangents[rig.meshes[m].firstVertex + v];
      if (!mesh.tangents.empty()) tangent = mesh.tangents[v];
      if (vec3(tangent) != vec3(0.0f)) continue;
      if (computed.empty()) computed = computeTangents(mesh);
      tangent = computed[v];
    }
  }
  if (!shown) rig.tangents.clear();
}

void appendInfluences(const Mesh& mesh, std::uint32_t firstJoint, Influences& out) {
  std::vector<Influence> vertex;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    if (!mesh.skin) {
      out.append({{{firstJoint, 1.0f}}});
      continue;
    }
    const auto source = mesh.influences.of(v);
    vertex.assign(source.begin(), source.end());
    for (Influence& influence : vertex)
      influence.joint += firstJoint;
    sortFewStably(vertex,
                  [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    out.append(vertex);
  }
}

void reserveVertices(const Model& model, Rig& rig) {
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::size_t influences = 0;
  for (const Mesh& mesh : model.meshes) {
    vertices += mesh.positions.size();
    triangles += mesh.triangles.size();
    influences += mesh.skin ? mesh.influences.values.size() : mesh.positions.size();
  }
  rig.positions.reserve(vertices);
  rig.normals.reserve(vertices);
  rig.texcoords.reserve(vertices);
  rig.colors.reserve(vertices);
  rig.triangles.reserve(triangles);
  rig.influences.offsets.reserve(vertices + 1);
  rig.influences.values.reserve(influences);
}

} // namespace

std::vector<std::uint32_t> findFirstJoints(const Model& model) {
  std::vector<std::uint32_t> first(model.skins.size());
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < model.skins.size(); ++i) {
    std::size_t same = 0;
    while (same < i && !sameJoints(model.skins[same], model.skins[i]))
      ++same;
    first[i] = same < i ? first[same] : count;
    if (same == i) count += static_cast<std::uint32_t>(model.skins[i].joints.size());
  }
  return first;
}

Rig buildRig(const Model& model) {
  Rig rig;
  reserveVertices(model, rig);
  const std::vector<std::uint32_t> firstOfSkin = findFirstJoints(model);
  for (std::size_t i = 0; i < model.skins.size(); ++i)
    if (firstOfSkin[i] == rig.joints.size())
      appendJoints(model.hierarchy, model.skins[i], rig.joints);
  std::map<std::uint32_t, std::uint32_t> jointOfRigidNode;
  std::vector<std::uint32_t> firstJointByMesh; // per mesh
  const bool mixes = std::ranges::any_of(
      model.meshes, [](const Mesh& mesh) { return !mesh.dualQuaternionShares.empty(); });
  for (const Mesh& mesh : model.meshes) {
    std::uint32_t firstJoint = 0;
    if (mesh.skin) {
      firstJoint = firstOfSkin[*mesh.skin];
    } else {
      const auto [entry, isNew] =
          jointOfRigidNode.emplace(mesh.node, static_cast<std::uint32_t>(rig.joints.size()));
      if (isNew) rig.joints.push_back({.node = mesh.node});
      firstJoint = entry->second;
    }

    firstJointByMesh.push_back(firstJoint);

    const auto firstVertex = static_cast<std::uint32_t>(rig.positions.size());
    const std::size_t count = mesh.positions.size();
    rig.meshes.push_back({firstVertex, static_cast<std::uint32_t>(count),
                          static_cast<std::uint32_t>(rig.triangles.size()),
                          static_cast<std::uint32_t>(mesh.triangles.size()), mesh.material,
                          mesh.insertedVertices});
    rig.positions.insert(rig.positions.end(), mesh.positions.begin(), mesh.positions.end());
    rig.normals.insert(rig.normals.end(), mesh.normals.begin(), mesh.normals.end());
    appendOr(rig.texcoords, mesh.texcoords, count, vec2(0.0f));
    appendOr(rig.colors, mesh.colors, count, vec4(1.0f));
    if (mixes) appendOr(rig.dualQuaternionShares, mesh.dualQuaternionShares, count, 0.0f);
    for (const auto& [a, b, c] : mesh.triangles)
      rig.triangles.push_back({a + firstVertex, b + firstVertex, c + firstVertex});
    appendInfluences(mesh, firstJoint, rig.influences);
  }
  placeUnusedJoints(model.hierarchy, rig);
  bendAgainstSkin(model.hierarchy, rig);
  fillTangents(model, rig);
  appendSplines(model, firstJointByMesh, rig);
  appendMorphs(model, rig);
  return rig;
}

std::vector<std::uint32_t> parentsFirst(const Rig& rig) {
  std::vector<std::uint32_t> byNode(rig.joints.size());
  std::iota(byNode.begin(), byNode.end(), 0u);
  // Nodes have their ancestors before them, so most joints follow their parent already.
  std::ranges::stable_sort(byNode, {}, [&](std::uint32_t j) { return rig.joints[j].node; });
  std::vector<std::uint32_t> order, waiting;
  std::vector<bool> placed(rig.joints.size(), false);
  for (const std::uint32_t joint : byNode) {
    for (std::uint32_t j = joint; j != kNoNode && !placed[j]; j = rig.joints[j].parent) {
      waiting.push_back(j);
      placed[j] = true;
    }
    for (; !waiting.empty(); waiting.pop_back())
      order.push_back(waiting.back());
  }
  return order;
}

std::vector<bool> insertedVertices(const Rig& rig) {
  std::vector<bool> inserted(rig.positions.size(), false);
  for (const RigMesh& mesh : rig.meshes) {
    if (mesh.insertedVertices == 0) continue;
    const auto end = inserted.begin() + mesh.firstVertex + mesh.vertexCount;
    std::fill(end - mesh.insertedVertices, end, true);
  }
  return inserted;
}

InfluenceCut influencesCut(const Influences& influences, std::uint32_t limit) {
  InfluenceCut cut;
  for (std::size_t v = 0; v < influences.vertexCount(); ++v) {
    const auto vertex = influences.of(v);
    if (vertex.size() <= limit) continue;
    ++cut.vertices;
    cut.influences += vertex.size() - limit;
    cut.largestWeight = std::max(cut.largestWeight, vertex[limit].weight);
  }
  return cut;
}

std::uint32_t maxInfluences(const Influences& influences) {
  std::size_t largest = 0;
  for (std::size_t v = 0; v < influences.vertexCount(); ++v)
    largest = std::max(largest, influences.of(v).size());
  return static_cast<std::uint32_t>(largest);
}

} // namespace sinew
