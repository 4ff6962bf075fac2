#include "import/node_tree.h"

#include "import/assimp_types.h"

#include <Eigen/Dense>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace sinew {
namespace {

constexpr float kTinyScale = 1e-4f;

float largestEntry(const mat4& m) {
  float largest = 0.0f;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      largest = std::max(largest, std::abs(m[c][r]));
  return largest;
}

float shearOf(const mat4& m) {
  const mat4 nearest = matrixOf(decompose(m));
  float largest = 0.0f;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      largest = std::max(largest, std::abs(m[c][r] - nearest[c][r]));
  return largest;
}

// A sheared matrix is no translation, rotation and scale, but the product of two such: by the
// singular value decomposition M = U S V^T, (translation, U, S) and then the rotation V^T.
struct Split {
  Transform outer;
  Transform inner;
};
Split splitShear(const mat4& m) {
  Eigen::Matrix3f a;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      a(r, c) = m[c][r];
  const Eigen::JacobiSVD<Eigen::Matrix3f> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3f u = svd.matrixU();
  Eigen::Matrix3f v = svd.matrixV();
  Eigen::Vector3f s = svd.singularValues();
  // Mirrors go into the last scale, so that both factors are rotations.
  if (u.determinant() < 0.0f) {
    u.col(2) *= -1.0f;
    s(2) *= -1.0f;
  }
  if (v.determinant() < 0.0f) {
    v.col(2) *= -1.0f;
    s(2) *= -1.0f;
  }
  const Eigen::Quaternionf qu(u);
  const Eigen::Quaternionf qv(Eigen::Matrix3f(v.transpose()));
  Split split;
  split.outer.translation = vec3(m[3]);
  split.outer.rotation = glm::normalize(quat(qu.w(), qu.x(), qu.y(), qu.z()));
  split.outer.scale = {s(0), s(1), s(2)};
  split.inner.rotation = glm::normalize(quat(qv.w(), qv.x(), qv.y(), qv.z()));
  return split;
}

class TreeReader {
 public:
  explicit TreeReader(RepairLog& repairs) : repairs_(repairs) {}

  std::uint32_t add(const std::string& name, std::uint32_t parent, Transform rest) {
    for (int i = 0; i < 3; ++i)
      if (std::abs(rest.scale[i]) < 1e-9f) {
        rest.scale[i] = kTinyScale;
        repairs_.add(Repair::nodeScaleZero);
      }
    tree.hierarchy.nodes.push_back({name, parent, rest});
    return static_cast<std::uint32_t>(tree.hierarchy.nodes.size() - 1);
  }

  std::uint32_t addMatrix(const std::string& name, std::uint32_t parent, mat4 m) {
    if (!isFinite(m)) {
      m = mat4(1.0f);
      repairs_.add(Repair::nodeMatrix);
    }
    if (shearOf(m) <= 1e-5f * largestEntry(m)) return add(name, parent, decompose(m));
    const Split split = splitShear(m);
    const std::uint32_t outer = add(name + " stretch", parent, split.outer);
    const std::uint32_t inner = add(name, outer, split.inner);
    tree.stretchOf[inner] = outer;
    return inner;
  }

  // Depth first with a stack of its own: a hostile file may nest deeper than the machine's.
  void read(const aiNode& root, std::uint32_t parent) {
    std::vector<std::pair<const aiNode*, std::uint32_t>> open{{&root, parent}};
    while (!open.empty()) {
      const auto [node, above] = open.back();
      open.pop_back();
      const auto [index, childrenOf] =
          isPivotNode(toString(node->mName)) ? addChain(*node, above) : addNode(*node, above);
      for (unsigned i = childrenOf->mNumChildren; i-- > 0;)
        if (childrenOf->mChildren[i] != nullptr) open.emplace_back(childrenOf->mChildren[i], index);
    }
  }

  NodeTree tree;

 private:
  using Added = std::pair<std::uint32_t, const aiNode*>;

  Added addNode(const aiNode& node, std::uint32_t parent) {
    const std::string name = toString(node.mName);
    const std::uint32_t index = addMatrix(name, parent, toMat4(node.mTransformation));
    tree.nodeOf[&node] = index;
    tree.byName[name].push_back(index);
    return {index, &node};
  }

  Added addChain(const aiNode& first, std::uint32_t parent) {
    const PivotChain chain = readPivotChain(first);
    const FbxPivots& p = chain.pivots;
    const Transform rest = localTransform(p, p.translation, p.rotation, p.scale);
    const std::uint32_t index =
        isFinite(rest) ? add(chain.name, parent, rest) : addMatrix(chain.name, parent, mat4(NAN));
    tree.byName[chain.name].push_back(index);
    tree.pivots[index] = p;
    std::uint32_t meshes = index;
    if (chain.nodeFromGeometry != mat4(1.0f))
      meshes = addMatrix(chain.name + " geometry", index, chain.nodeFromGeometry);
    for (const aiNode* node : chain.nodes)
      tree.nodeOf[node] = meshes;
    return {index, chain.childrenOf};
  }

  RepairLog& repairs_;
};

void makeNamesUnique(Hierarchy& hierarchy) {
  std::unordered_set<std::string> taken;
  for (const Node& node : hierarchy.nodes)
    taken.insert(node.name);
  std::unordered_map<std::string, int> uses;
  for (Node& node : hierarchy.nodes) {
    if (node.name.empty()) node.name = "node";
    const std::string base = node.name;
    int& n = uses[base];
    ++n;
    if (n == 1) continue;
    do
      node.name = fmt::format("{} ({})", base, n++);
    while (!taken.insert(node.name).second);
  }
}

} // namespace

NodeTree readNodes(const aiNode& root, const mat4& modelFromFile, RepairLog& repairs) {
  TreeReader reader(repairs);
  std::uint32_t parent = kNoNode;
  if (modelFromFile != mat4(1.0f)) parent = reader.add("Y up", kNoNode, decompose(modelFromFile));
  reader.read(root, parent);
  makeNamesUnique(reader.tree.hierarchy);
  return std::move(reader.tree);
}

} // namespace sinew
