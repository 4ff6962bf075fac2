#include "import/bind_space.h"

#include "model/mesh.h"
#include "model/morph_targets.h"

#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/type_precision.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

constexpr float kAgreement = 1e-3f; // fraction of the mesh's size

float largestDifference(const mat4& a, const mat4& b, float size) {
  float largest = 0.0f;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 3; ++r)
      largest = std::max(largest, std::abs(a[c][r] - b[c][r]) * (c < 3 ? size : 1.0f));
  return largest;
}

// The nearest rotation that maps axes to axes: each axis to the one of its largest component.
mat3 nearestAxisRotation(const quat& q) {
  const mat3 m = glm::mat3_cast(q);
  mat3 snapped(0.0f);
  for (int column = 0; column < 3; ++column) {
    int row = 0;
    for (int r = 1; r < 3; ++r)
      if (std::abs(m[column][r]) > std::abs(m[column][row])) row = r;
    snapped[column][row] = m[column][row] < 0.0f ? -1.0f : 1.0f;
  }
  return std::abs(glm::determinant(snapped) - 1.0f) < 0.5f ? snapped : mat3(1.0f);
}

// How the skin stands in the rest pose: with the axes and the scale of the largest group of joints
// whose nearest axes agree; the topmost joint's, where groups are equal. A single joint may be
// posed, or be a control that turns another way.
mat4 upright(std::span<const mat4> atRest, const mat4& topmost) {
  struct Group {
    mat3 axes;
    vec3 scale;
    int joints;
  };
  std::vector<Group> groups; // at most the 24 rotations of a cube
  const auto add = [&](const mat4& joint, int count) {
    const Transform rest = decompose(joint);
    const mat3 axes = nearestAxisRotation(rest.rotation);
    const auto same = std::ranges::find(groups, axes, &Group::axes);
    if (same == groups.end())
      groups.push_back({axes, rest.scale, count});
    else
      same->joints += count;
  };
  add(topmost, 0);
  for (const mat4& joint : atRest)
    add(joint, 1);
  const Group& largest = *std::ranges::max_element(groups, {}, &Group::joints);
  return mat4(largest.axes) * glm::scale(mat4(1.0f), largest.scale);
}

// The up direction in bind space: the mean over the joints' rest poses.
vec3 upInBind(std::span<const mat4> atRest) {
  vec3 up(0.0f);
  for (const mat4& joint : atRest)
    up += glm::inverse(decompose(joint).rotation) * vec3(0, 1, 0);
  return up;
}

} // namespace

// The matrix B. If the rest pose is the bind pose, every joint gives it. Otherwise the mesh's own
// node usually does, but some files (valid in glTF) have an arbitrary transform there that would
// lay the mesh on its side; then the topmost joint gives it, up to its pose.
mat4 modelFromBind(std::span<const mat4> modelFromNode, SourceKind kind, const Mesh& mesh,
                   const Skin& skin) {
  if (skin.joints.empty()) return mat4(1.0f);
  std::vector<mat4> atRest;
  for (const SkinJoint& joint : skin.joints)
    atRest.push_back(modelFromNode[joint.node] * joint.jointFromBind);
  const auto top = std::ranges::min_element(skin.joints, {}, &SkinJoint::node);
  const mat4& common = atRest[static_cast<std::size_t>(top - skin.joints.begin())];
  const float size = computeBounds(mesh.positions).size();
  const float sizeInModel = size * glm::length(vec3(common[0]));
  if (std::ranges::all_of(atRest, [&](const mat4& joint) {
        return largestDifference(joint, common, size) <= kAgreement * sizeInModel;
      }))
    return common;
  if (kind == SourceKind::gltf) return upright(atRest, common);
  const mat4& byNode = modelFromNode[mesh.node];
  const float ratio = glm::length(vec3(byNode[0])) / glm::length(vec3(common[0]));
  const vec3 up = upInBind(atRest);
  const bool stands = (decompose(byNode).rotation * up).y > 0.5f * glm::length(up);
  return stands && ratio > 0.9f && ratio < 1.1f ? byNode : upright(atRest, common);
}

void moveBind(const mat4& modelFromBind, Mesh& mesh) {
  const glm::dmat4 exact(modelFromBind);
  for (vec3& p : mesh.positions)
    p = vec3(exact * glm::dvec4(p.x, p.y, p.z, 1.0));
  const mat3 cofactor(glm::transpose(glm::inverse(glm::dmat3(exact))));
  transformOffsets(mat3(modelFromBind), cofactor, mesh);
  transformTangents(mat3(modelFromBind), mesh);
  for (vec3& n : mesh.normals)
    if (const vec3 turned = cofactor * n; glm::length(turned) > 0.0f) n = glm::normalize(turned);
}

void moveBind(const mat4& modelFromBind, Skin& skin) {
  const glm::dmat4 inverse = glm::inverse(glm::dmat4(modelFromBind));
  for (SkinJoint& joint : skin.joints)
    joint.jointFromBind = mat4(glm::dmat4(joint.jointFromBind) * inverse);
}

bool canMoveBind(const mat4& modelFromBind) {
  return isFinite(modelFromBind) && isFinite(mat4(glm::inverse(glm::dmat4(modelFromBind)))) &&
         modelFromBind != mat4(1.0f);
}

void moveBindToModelSpace(std::span<const mat4> modelFromNode, Mesh& mesh, Skin& skin) {
  const mat4 matrix = modelFromBind(modelFromNode, SourceKind::other, mesh, skin);
  if (!canMoveBind(matrix)) return;
  moveBind(matrix, mesh);
  moveBind(matrix, skin);
}

} // namespace sinew
