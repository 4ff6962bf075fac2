#include "import/append_node.h"

#include <Eigen/Dense>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace sinew {
namespace {

float largestEntry(const mat4& m) {
  float largest = 0.0f;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      largest = std::max(largest, std::abs(m[c][r]));
  return largest;
}

float measureShear(const mat4& m) {
  const mat4 nearest = toMatrix(decompose(m));
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

} // namespace

bool repairZeroScale(vec3& scale) {
  bool zero = false;
  for (int i = 0; i < 3; ++i)
    if (std::abs(scale[i]) < 1e-9f) {
      scale[i] = kTinyScale;
      zero = true;
    }
  return zero;
}

std::uint32_t appendNode(Hierarchy& hierarchy, const std::string& name, std::uint32_t parent,
                         Transform rest, RepairLog& repairs) {
  if (repairZeroScale(rest.scale)) repairs.add(Repair::nodeScaleZero);
  hierarchy.nodes.push_back({name, parent, rest});
  return static_cast<std::uint32_t>(hierarchy.nodes.size() - 1);
}

AppendedNode appendNode(Hierarchy& hierarchy, const std::string& name, std::uint32_t parent,
                        const mat4& matrix, RepairLog& repairs) {
  mat4 m = matrix;
  if (!isUsable(m)) {
    m = mat4(1.0f);
    repairs.add(Repair::nodeMatrix);
  }
  if (measureShear(m) <= 1e-5f * largestEntry(m))
    return {appendNode(hierarchy, name, parent, decompose(m), repairs), {}};
  const Split split = splitShear(m);
  const std::uint32_t outer =
      appendNode(hierarchy, name + " stretch", parent, split.outer, repairs);
  return {appendNode(hierarchy, name, outer, split.inner, repairs), outer};
}

void makeNamesUnique(Hierarchy& hierarchy) {
  std::unordered_set<std::string> taken;
  for (const Node& node : hierarchy.nodes)
    taken.insert(node.name);
  std::unordered_map<std::string, int> uses;
  for (Node& node : hierarchy.nodes) {
    if (node.name.empty()) node.name = "node";
    const std::string base = node.name;
    int& next = uses[base];
    if (next == 0) {
      next = 2;
      continue;
    }
    do
      node.name = fmt::format("{} ({})", base, next++);
    while (!taken.insert(node.name).second);
  }
}

} // namespace sinew
