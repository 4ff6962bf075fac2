#include "import/skin_reader.h"

#include "animation/pose.h"
#include "core/lists.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace sinew {
namespace {

// How far the mesh would move in the rest pose if the bone were this node.
float restDistance(const mat4& modelFromNode, const mat4& modelFromMesh, const mat4& bind) {
  const mat4 moved = modelFromNode * bind;
  float distance = 0.0f;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 3; ++r)
      distance += std::abs(moved[c][r] - modelFromMesh[c][r]);
  return std::isfinite(distance) ? distance : 1e30f;
}

class SkinReader {
 public:
  SkinReader(const Mesh& mesh, std::uint32_t meshNode, NamedNodes& nodes, RepairLog& repairs)
      : mesh_(mesh), meshNode_(meshNode), nodes_(nodes), repairs_(repairs),
        modelFromNode_(modelFromNodes(nodes.hierarchy, restPose(nodes.hierarchy))),
        vertices_(mesh.positions.size()) {}

  MeshSkin read(std::span<const NamedBone> bones) {
    for (const NamedBone& bone : bones)
      readBone(bone);
    bool weighted = false;
    for (std::vector<Influence>& vertex : vertices_) {
      tidyInfluences(vertex, repairs_);
      weighted = weighted || !vertex.empty();
    }
    if (!weighted) return {};
    bindUnweighted(
        mesh_, vertices_, [this] { return jointFor(meshNode_, mat4(1.0f)); }, repairs_);
    for (const std::vector<Influence>& vertex : vertices_)
      out_.influences.append(vertex);
    return std::move(out_);
  }

 private:
  void readBone(const NamedBone& bone) {
    mat4 bind = bone.jointFromBind;
    const bool singular = isSingular(bind);
    const std::uint32_t node = findNode(bone.name, bind, singular);
    if (singular) {
      bind = glm::inverse(modelFromNode_[node]) * modelFromNode_[meshNode_];
      repairs_.add(Repair::bindMatrixSingular);
      if (!isFinite(bind)) bind = mat4(1.0f);
    }
    const std::uint32_t joint = jointFor(node, bind);
    for (const NamedBone::Weight& each : bone.weights)
      addWeight(each.vertex, joint, each.weight);
  }

  // A bone listed twice in one mesh is one joint.
  std::uint32_t jointFor(std::uint32_t node, const mat4& bind) {
    for (std::uint32_t i = 0; i < out_.skin.joints.size(); ++i)
      if (out_.skin.joints[i].node == node && out_.skin.joints[i].jointFromBind == bind) return i;
    out_.skin.joints.push_back({node, bind});
    return static_cast<std::uint32_t>(out_.skin.joints.size() - 1);
  }

  void addWeight(std::uint32_t vertex, std::uint32_t joint, float weight) {
    if (vertex >= vertices_.size())
      repairs_.add(Repair::influenceOutOfRange);
    else if (!std::isfinite(weight))
      repairs_.add(Repair::weightNotFinite);
    else if (weight < 0.0f)
      repairs_.add(Repair::weightNotPositive);
    else if (weight > 0.0f)
      vertices_[vertex].push_back({joint, weight});
  }

  // Bones name their node. Where a file repeats the name, the node is meant for which the mesh
  // stays in place in the rest pose.
  std::uint32_t findNode(const std::string& name, const mat4& bind, bool singular) {
    const auto found = nodes_.byName.find(name);
    if (found == nodes_.byName.end()) return addMissingNode(name, bind, singular);
    const std::vector<std::uint32_t>& named = found->second;
    if (named.size() == 1 || singular) return named.front();
    const mat4& modelFromMesh = modelFromNode_[meshNode_];
    return *std::min_element(named.begin(), named.end(), [&](std::uint32_t a, std::uint32_t b) {
      return restDistance(modelFromNode_[a], modelFromMesh, bind) <
             restDistance(modelFromNode_[b], modelFromMesh, bind);
    });
  }

  std::uint32_t addMissingNode(const std::string& name, const mat4& bind, bool singular) {
    const mat4 modelFromJoint =
        singular ? modelFromNode_[meshNode_] : modelFromNode_[meshNode_] * glm::inverse(bind);
    const auto index = static_cast<std::uint32_t>(nodes_.hierarchy.nodes.size());
    const mat4 rootFromJoint = glm::inverse(modelFromNode_[0]) * modelFromJoint;
    const Transform rest = isFinite(rootFromJoint) ? decompose(rootFromJoint) : Transform();
    nodes_.hierarchy.nodes.push_back({name.empty() ? "bone" : name, 0, rest});
    nodes_.byName[name].push_back(index);
    modelFromNode_.push_back(modelFromNode_[0] * toMatrix(rest));
    repairs_.add(Repair::boneWithoutNode);
    return index;
  }

  const Mesh& mesh_;
  std::uint32_t meshNode_;
  NamedNodes& nodes_;
  RepairLog& repairs_;
  std::vector<mat4> modelFromNode_;
  std::vector<std::vector<Influence>> vertices_;
  MeshSkin out_;
};

std::vector<std::vector<std::uint32_t>> connect(const Mesh& mesh) {
  std::vector<std::vector<std::uint32_t>> neighbours(mesh.positions.size());
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    join(a, b);
    join(b, c);
    join(c, a);
  }
  std::unordered_map<std::string_view, std::uint32_t> firstAt;
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    const auto* bytes = reinterpret_cast<const char*>(&mesh.positions[v]);
    const auto [place, isNew] = firstAt.emplace(std::string_view(bytes, sizeof(vec3)), v);
    if (!isNew) join(place->second, v);
  }
  return neighbours;
}

} // namespace

MeshSkin readSkin(std::span<const NamedBone> bones, const Mesh& mesh, std::uint32_t meshNode,
                  NamedNodes& nodes, RepairLog& repairs) {
  return SkinReader(mesh, meshNode, nodes, repairs).read(bones);
}

void tidyInfluences(std::vector<Influence>& vertex, RepairLog& repairs) {
  sortFewStably(vertex, [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
  std::size_t count = 0;
  for (std::size_t i = 0; i < vertex.size(); ++i) {
    if (count > 0 && vertex[count - 1].joint == vertex[i].joint) {
      vertex[count - 1].weight += vertex[i].weight;
      repairs.add(Repair::influenceDuplicate);
    } else {
      vertex[count++] = vertex[i];
    }
  }
  vertex.resize(count);
  double sum = 0.0;
  for (const Influence& influence : vertex)
    sum += influence.weight;
  if (vertex.empty()) return;
  if (std::abs(sum - 1.0) > 2e-3) repairs.add(Repair::weightSum);
  for (Influence& influence : vertex)
    influence.weight = static_cast<float>(influence.weight / sum);
  sortFewStably(vertex, [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
}

void bindUnweighted(const Mesh& mesh, std::vector<std::vector<Influence>>& vertices,
                    const std::function<std::uint32_t()>& fallbackJoint, RepairLog& repairs) {
  std::vector<std::uint32_t> open;
  std::size_t missing = 0;
  for (std::uint32_t v = 0; v < vertices.size(); ++v)
    if (vertices[v].empty())
      ++missing;
    else
      open.push_back(v);
  if (missing == 0) return;
  const std::vector<std::vector<std::uint32_t>> neighbours = connect(mesh);
  for (std::size_t next = 0; next < open.size(); ++next)
    for (const std::uint32_t v : neighbours[open[next]])
      if (vertices[v].empty()) {
        vertices[v] = vertices[open[next]];
        open.push_back(v);
        --missing;
        repairs.add(Repair::vertexWithoutWeights);
      }
  if (missing == 0) return;
  const std::uint32_t joint = fallbackJoint();
  for (std::vector<Influence>& vertex : vertices)
    if (vertex.empty()) vertex.push_back({joint, 1.0f});
  repairs.add(Repair::componentWithoutWeights, missing);
}

bool isSingular(const mat4& m) {
  if (!isFinite(m)) return true;
  const glm::mat3 a(m);
  const float size = std::max({glm::length(a[0]), glm::length(a[1]), glm::length(a[2])});
  // The volume of the box that a unit cube becomes, against that of the cube of its longest side.
  return size == 0.0f || std::abs(glm::determinant(a / size)) < 1e-7f;
}

} // namespace sinew
