#include "weights/repose_model.h"

#include "core/bounds.h"
#include "core/error.h"
#include "rig/rig.h"
#include "weights/evaluate_rig.h"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dmat4;
using glm::dvec3;
using glm::dvec4;

// Shares of the mesh's size.
constexpr double kNoOffset = 1e-7;   // nearer a vertex follows the joint itself
constexpr double kFlatOffset = 1e-5; // offsets that differ by less along an axis are equal along it

dmat3 computeRotationCofactors(const dmat3& m) {
  const dmat3 out(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1]));
  return glm::determinant(m) < 0.0 ? -out : out;
}

vec3 unitOr(const dvec3& v, const vec3& otherwise) {
  const double length = glm::length(v);
  return length > 0.0 ? vec3(v / length) : otherwise;
}

// Corners around the offsets of one joint: each offset is a weighted mean of them.
struct OffsetCorners {
  std::array<dvec3, 3> axes{}; // orthonormal
  std::array<double, 3> low{}, reach{};
  dvec3 origin{0.0}; // the first corner
  int count = 0;     // number of axes; there is one corner more

  dvec3 corner(int i) const {
    return i == 0 ? origin
                  : origin + reach[static_cast<std::size_t>(i - 1)] *
                                 axes[static_cast<std::size_t>(i - 1)];
  }
  // The weights of the corners, from corner 0 on.
  std::array<double, 4> computeWeights(const dvec3& offset) const {
    std::array<double, 4> out{1.0};
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      out[i + 1] = std::clamp((glm::dot(axes[i], offset) - low[i]) / reach[i], 0.0, 1.0);
      out[0] -= out[i + 1];
    }
    out[0] = std::max(out[0], 0.0);
    return out;
  }
};

// Along the axes in which the offsets spread; each corner is as far out as their sum needs.
OffsetCorners cornersAround(const std::vector<dvec3>& offsets, double flat) {
  dvec3 middle(0.0);
  for (const dvec3& each : offsets)
    middle += each / static_cast<double>(offsets.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const dvec3& each : offsets) {
    const dvec3 apart = each - middle;
    const Eigen::Vector3d d(apart.x, apart.y, apart.z);
    spread += d * d.transpose();
  }
  const Eigen::Matrix3d found =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors();
  OffsetCorners out;
  for (int i = 2; i >= 0; --i) {
    const dvec3 axis(found(0, i), found(1, i), found(2, i));
    double low = glm::dot(axis, offsets.front()), high = low;
    for (const dvec3& each : offsets) {
      low = std::min(low, glm::dot(axis, each));
      high = std::max(high, glm::dot(axis, each));
    }
    if (high - low <= flat) {
      out.origin += 0.5 * (low + high) * axis;
      continue;
    }
    const auto at = static_cast<std::size_t>(out.count++);
    out.axes[at] = axis;
    out.low[at] = low;
    out.reach[at] = high - low;
    out.origin += low * axis;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(out.count); ++i)
    out.reach[i] *= static_cast<double>(out.count);
  return out;
}

struct Reposing {
  const Model& before;
  const std::vector<mat4>& modelFromNode; // in the pose
  double size = 1.0;
  ReposedModel out;
};

// Per joint of a skin, model from bind space in the pose, by the matrices before.
std::vector<dmat4> computeMotions(const Reposing& work, const Skin& skin) {
  std::vector<dmat4> out;
  for (const SkinJoint& joint : skin.joints)
    out.push_back(dmat4(work.modelFromNode[joint.node]) * dmat4(joint.jointFromBind));
  return out;
}

dmat4 inverseBind(const Reposing& work, std::uint32_t node) {
  const dmat4 m(work.modelFromNode[node]);
  const double volume = std::abs(glm::determinant(dmat3(m)));
  const double lengths =
      glm::length(dvec3(m[0])) * glm::length(dvec3(m[1])) * glm::length(dvec3(m[2]));
  if (!(volume > 1e-9 * lengths) || !(lengths > 0.0))
    throw usageError(fmt::format("the pose flattens the joint '{}': it cannot be a bind pose",
                                 work.before.hierarchy.nodes[node].name),
                     "choose another pose or time");
  return glm::inverse(m);
}

// Positions, normals, tangents and morph targets.
void poseMesh(const std::vector<dmat4>& motion, Mesh& mesh) {
  std::vector<dmat4> blended(mesh.positions.size(), dmat4(0.0));
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    double sum = 0.0;
    for (const Influence& each : mesh.influences.of(v)) {
      blended[v] += static_cast<double>(each.weight) * motion[each.joint];
      sum += static_cast<double>(each.weight);
    }
    blended[v] /= sum;
  }
  for (MorphOffsets& morph : mesh.morphs)
    for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
      const std::uint32_t v = morph.vertices[i];
      const dmat3 linear(blended[v]);
      morph.positions[i] = vec3(linear * dvec3(morph.positions[i]));
      if (morph.normals.empty()) continue;
      const dmat3 cofactors = computeRotationCofactors(linear);
      const dvec3 normal(mesh.normals[v]);
      morph.normals[i] = unitOr(cofactors * (normal + dvec3(morph.normals[i])), mesh.normals[v]) -
                         unitOr(cofactors * normal, mesh.normals[v]);
    }
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const dmat3 linear(blended[v]);
    mesh.positions[v] = vec3(blended[v] * dvec4(dvec3(mesh.positions[v]), 1.0));
    mesh.normals[v] =
        unitOr(computeRotationCofactors(linear) * dvec3(mesh.normals[v]), mesh.normals[v]);
    if (mesh.tangents.empty()) continue;
    vec4& tangent = mesh.tangents[v];
    tangent = vec4(unitOr(linear * dvec3(vec3(tangent)), vec3(0.0f)), tangent.w);
  }
}

// What a vertex lacks at a joint of its own, joint space.
struct MissingOffset {
  std::size_t mesh = 0, vertex = 0;
  dvec3 offset{0.0};
};

std::vector<std::vector<MissingOffset>> missingOffsets(const Reposing& work, std::size_t skin,
                                                       const std::vector<dmat4>& inverses) {
  const Skin& joints = work.before.skins[skin];
  std::vector<std::vector<MissingOffset>> out(joints.joints.size());
  for (std::size_t m = 0; m < work.before.meshes.size(); ++m) {
    const Mesh& was = work.before.meshes[m];
    if (was.skin != skin) continue;
    for (std::size_t v = 0; v < was.positions.size(); ++v)
      for (const Influence& each : was.influences.of(v)) {
        const dvec4 before(dvec3(was.positions[v]), 1.0);
        const dvec4 after(dvec3(work.out.model.meshes[m].positions[v]), 1.0);
        out[each.joint].push_back({m, v,
                                   dvec3(dmat4(joints.joints[each.joint].jointFromBind) * before) -
                                       dvec3(inverses[each.joint] * after)});
      }
  }
  return out;
}

// Adds the offset joints of a joint; per corner its index in the skin.
std::vector<std::uint32_t> addCorners(Reposing& work, Skin& skin, std::uint32_t joint,
                                      const OffsetCorners& corners) {
  std::vector<std::uint32_t> out;
  Hierarchy& hierarchy = work.out.model.hierarchy;
  for (int i = 0; i <= corners.count; ++i) {
    Node node;
    const std::uint32_t above = skin.joints[joint].node;
    node.name =
        freeNodeName(hierarchy, fmt::format("{}_offset{}", hierarchy.nodes[above].name, i + 1));
    node.parent = above;
    node.rest.translation = vec3(corners.corner(i));
    out.push_back(static_cast<std::uint32_t>(skin.joints.size()));
    skin.joints.push_back(
        {static_cast<std::uint32_t>(hierarchy.nodes.size()), skin.joints[joint].jointFromBind});
    hierarchy.nodes.push_back(std::move(node));
    ++work.out.offsetJoints;
  }
  return out;
}

// Splits weights among offset joints.
void addOffsets(Reposing& work, std::size_t index, const std::vector<dmat4>& inverses) {
  Model& model = work.out.model;
  const auto missing = missingOffsets(work, index, inverses);
  // Per mesh, vertex: the influences of the result.
  std::vector<std::vector<std::vector<Influence>>> rows(model.meshes.size());
  for (std::size_t m = 0; m < model.meshes.size(); ++m)
    rows[m].resize(model.meshes[m].skin == index ? model.meshes[m].positions.size() : 0);
  for (std::uint32_t j = 0; j < missing.size(); ++j) {
    const double scale = std::cbrt(std::abs(glm::determinant(dmat3(inverses[j]))));
    std::vector<dvec3> offsets;
    for (const MissingOffset& each : missing[j])
      if (glm::length(each.offset) > kNoOffset * work.size * scale) offsets.push_back(each.offset);
    OffsetCorners corners;
    std::vector<std::uint32_t> cornerJoints;
    if (!offsets.empty()) {
      corners = cornersAround(offsets, kFlatOffset * work.size * scale);
      cornerJoints = addCorners(work, model.skins[index], j, corners);
    }
    for (const MissingOffset& each : missing[j]) {
      std::vector<Influence>& row = rows[each.mesh][each.vertex];
      float weight = 0.0f;
      for (const Influence& own : work.before.meshes[each.mesh].influences.of(each.vertex))
        if (own.joint == j) weight = own.weight;
      if (!(glm::length(each.offset) > kNoOffset * work.size * scale)) {
        row.push_back({j, weight});
        continue;
      }
      const auto shares = corners.computeWeights(each.offset);
      for (std::size_t i = 0; i < cornerJoints.size(); ++i)
        if (const auto share = static_cast<float>(static_cast<double>(weight) * shares[i]);
            share > 1e-7f)
          row.push_back({cornerJoints[i], share});
    }
  }
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    if (rows[m].empty()) continue;
    Influences influences;
    for (std::vector<Influence>& row : rows[m]) {
      std::ranges::stable_sort(
          row, [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      influences.append(row);
    }
    model.meshes[m].influences = std::move(influences);
  }
}

template <class T>
void holdValue(Track<T>& track, const T& value, const T& now) {
  if (!track.times.empty() || value == now) return;
  track.times = {0.0f};
  track.values = {value};
}

// What a clip left at rest stays where it was.
void holdRest(const Model& before, const Pose& pose, const MorphWeights& weights, Clip& clip) {
  for (std::uint32_t node = 0; node < before.hierarchy.nodes.size(); ++node) {
    const Transform& was = before.hierarchy.nodes[node].rest;
    const Transform& now = pose.parentFromNode[node];
    if (was == now) continue;
    auto found = std::ranges::find(clip.channels, node, &Channel::node);
    if (found == clip.channels.end()) {
      clip.channels.push_back({node, {}, {}, {}});
      found = clip.channels.end() - 1;
    }
    holdValue(found->translation, was.translation, now.translation);
    holdValue(found->rotation, was.rotation, now.rotation);
    holdValue(found->scale, was.scale, now.scale);
  }
  for (std::uint32_t t = 0; t < before.morphTargets.size(); ++t) {
    if (before.morphTargets[t].weight == weights[t]) continue;
    if (std::ranges::find(clip.morphs, t, &MorphChannel::target) == clip.morphs.end())
      clip.morphs.push_back({t, {{0.0f}, {before.morphTargets[t].weight}}});
  }
}

} // namespace

ReposedModel reposeModel(const Model& model, const Pose& pose, bool offsetJoints) {
  if (!model.splines.empty())
    throw usageError("the model has free splines, whose bind pose stays",
                     "save them as a file, and repose the model without them (--splines none)");
  const std::vector<mat4> modelFromNode = modelFromNodes(model.hierarchy, pose);
  Reposing work{model, modelFromNode, 1.0, {}};
  const Rig rig = buildRig(model);
  Bounds box;
  for (const dvec3& p : blendedVertices(rig, model, pose))
    box.include(vec3(p));
  work.size = std::max(static_cast<double>(box.size()), 1e-30);
  Model& out = work.out.model;
  out = model;
  for (std::size_t s = 0; s < model.skins.size(); ++s) {
    const std::vector<dmat4> motion = computeMotions(work, model.skins[s]);
    std::vector<dmat4> inverses;
    for (std::size_t j = 0; j < motion.size(); ++j) {
      inverses.push_back(inverseBind(work, model.skins[s].joints[j].node));
      out.skins[s].joints[j].jointFromBind = mat4(inverses.back());
    }
    for (Mesh& mesh : out.meshes)
      if (mesh.skin == s) poseMesh(motion, mesh);
    if (offsetJoints) addOffsets(work, s, inverses);
  }
  const MorphWeights weights = getMorphWeights(model, pose);
  for (Clip& clip : out.clips)
    holdRest(model, pose, weights, clip);
  for (std::size_t n = 0; n < model.hierarchy.nodes.size(); ++n)
    out.hierarchy.nodes[n].rest = pose.parentFromNode[n];
  for (std::size_t t = 0; t < weights.size(); ++t)
    out.morphTargets[t].weight = weights[t];
  for (const Mesh& mesh : out.meshes)
    if (mesh.skin)
      work.out.influences = std::max(work.out.influences, maxInfluences(mesh.influences));
  return std::move(work.out);
}

} // namespace sinew
