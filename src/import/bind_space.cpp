#include "import/bind_space.h"

#include <glm/geometric.hpp>
#include <glm/gtc/type_precision.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kAgreement = 1e-3f; // of the mesh's size

float largestDifference(const mat4& a, const mat4& b, float size) {
  float largest = 0.0f;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 3; ++r)
      largest = std::max(largest, std::abs(a[c][r] - b[c][r]) * (c < 3 ? size : 1.0f));
  return largest;
}

// The rotation by quarter turns nearest to one: each axis goes to where most of it points.
glm::quat nearestQuarterTurns(const quat& q) {
  const mat3 m = glm::mat3_cast(q);
  mat3 snapped(0.0f);
  for (int column = 0; column < 3; ++column) {
    int row = 0;
    for (int r = 1; r < 3; ++r)
      if (std::abs(m[column][r]) > std::abs(m[column][row])) row = r;
    snapped[column][row] = m[column][row] < 0.0f ? -1.0f : 1.0f;
  }
  return std::abs(glm::determinant(snapped) - 1.0f) < 0.5f ? glm::quat_cast(snapped)
                                                           : quat(1, 0, 0, 0);
}

// Which way is up in bind space, as the joints' rest poses have it on average.
vec3 upInBind(std::span<const mat4> modelFromNode, const Skin& skin) {
  vec3 up(0.0f);
  for (const SkinJoint& joint : skin.joints)
    up += glm::inverse(decompose(modelFromNode[joint.node] * joint.jointFromBind).rotation) *
          vec3(0, 1, 0);
  return up;
}

// The matrix B. Where the nodes rest as the skin binds, every joint knows it. Where they rest in
// some pose, the mesh's own node usually does; but some files leave it anyhow (glTF lets them), and
// then it lays the mesh on its side. There the uppermost joint tells, up to its pose.
mat4 modelFromBind(std::span<const mat4> modelFromNode, SourceKind kind, const Mesh& mesh,
                   const Skin& skin) {
  const auto atRest = [&](const SkinJoint& joint) {
    return modelFromNode[joint.node] * joint.jointFromBind;
  };
  const SkinJoint& top =
      *std::min_element(skin.joints.begin(), skin.joints.end(),
                        [](const SkinJoint& a, const SkinJoint& b) { return a.node < b.node; });
  const mat4 common = atRest(top);
  const float size = boundsOf(mesh.positions).size();
  const float sizeInModel = size * glm::length(vec3(common[0]));
  if (std::all_of(skin.joints.begin(), skin.joints.end(), [&](const SkinJoint& joint) {
        return largestDifference(atRest(joint), common, size) <= kAgreement * sizeInModel;
      }))
    return common;

  const Transform rest = decompose(common);
  Transform upright;
  upright.rotation = nearestQuarterTurns(rest.rotation);
  upright.scale = rest.scale;
  if (kind == SourceKind::gltf) return matrixOf(upright);
  const mat4& byNode = modelFromNode[mesh.node];
  const float ratio = glm::length(vec3(byNode[0])) / glm::length(vec3(common[0]));
  const vec3 up = upInBind(modelFromNode, skin);
  const bool stands = (decompose(byNode).rotation * up).y > 0.5f * glm::length(up);
  return stands && ratio > 0.9f && ratio < 1.1f ? byNode : matrixOf(upright);
}

} // namespace

void moveBindToModelSpace(std::span<const mat4> modelFromNode, SourceKind kind, Mesh& mesh,
                          Skin& skin) {
  if (skin.joints.empty()) return;
  const mat4 modelFromMesh = modelFromBind(modelFromNode, kind, mesh, skin);
  const glm::dmat4 exact(modelFromMesh);
  const glm::dmat4 inverse = glm::inverse(exact);
  if (!isFinite(modelFromMesh) || !isFinite(mat4(inverse)) || modelFromMesh == mat4(1.0f)) return;
  for (vec3& p : mesh.positions)
    p = vec3(exact * glm::dvec4(p.x, p.y, p.z, 1.0));
  const mat3 cofactor(glm::transpose(glm::dmat3(inverse)));
  for (vec3& n : mesh.normals)
    if (const vec3 turned = cofactor * n; glm::length(turned) > 0.0f) n = glm::normalize(turned);
  for (SkinJoint& joint : skin.joints)
    joint.jointFromBind = mat4(glm::dmat4(joint.jointFromBind) * inverse);
}

} // namespace sinew
