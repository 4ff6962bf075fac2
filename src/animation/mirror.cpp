#include "animation/mirror.h"

#include "animation/side_names.h"
#include "core/bounds.h"
#include "core/polar.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kNear = 0.02f;      // same position within this fraction of the skeleton's size
constexpr float kNearAxis = 0.985f; // cosine; such a plane normal is snapped to the model axis

vec3 reflect(const vec3& normal, const vec3& v) {
  return v - 2.0f * glm::dot(normal, v) * normal;
}

// The mirror image of a rotation: about the reflected axis, by the negative angle.
quat reflect(const vec3& normal, const quat& q) {
  const vec3 v = reflect(normal, vec3(q.x, q.y, q.z));
  return {q.w, -v.x, -v.y, -v.z};
}

vec3 snappedToAxis(const vec3& normal) {
  for (int i = 0; i < 3; ++i)
    if (std::abs(normal[i]) > kNearAxis) {
      vec3 axis(0.0f);
      axis[i] = std::copysign(1.0f, normal[i]);
      return axis;
    }
  return normal;
}

// Pairs nodes by their positions in the bind pose.
class PartnerFinder {
 public:
  explicit PartnerFinder(const Model& model)
      : nodes_(model.hierarchy.nodes), joints_(jointNodes(model)),
        names_(partnersByName(model.hierarchy)), children_(collectChildren(model.hierarchy)) {
    for (const mat4& m : modelFromNodes(model.hierarchy, bindPose(model)))
      positions_.emplace_back(m[3]);
    Bounds bounds;
    isJoint_.assign(nodes_.size(), false);
    for (const std::uint32_t joint : joints_) {
      bounds.include(positions_[joint]);
      isJoint_[joint] = true;
    }
    near_ = bounds.empty() ? 0.0f : kNear * bounds.size();
  }

  MirrorMap find() {
    MirrorMap map;
    if (planeFromNames(map))
      pairByPosition(map);
    else
      map = bestUprightPlane();
    for (const std::uint32_t joint : joints_)
      if (map.partner[joint] == kNoNode) map.without.push_back(joint);
    return map;
  }

 private:
  bool planeFromNames(MirrorMap& map) const {
    vec3 across(0.0f);
    for (const std::uint32_t i : joints_)
      if (names_.side[i] == Side::left) across += positions_[i] - positions_[names_.partner[i]];
    if (glm::length(across) <= near_) return false;
    map.normal = snappedToAxis(glm::normalize(across));
    std::vector<float> middles;
    for (const std::uint32_t i : joints_)
      if (names_.side[i] == Side::left)
        middles.push_back(0.5f *
                          glm::dot(map.normal, positions_[i] + positions_[names_.partner[i]]));
    const auto middle = middles.begin() + static_cast<std::ptrdiff_t>(middles.size() / 2);
    std::nth_element(middles.begin(), middle, middles.end());
    map.offset = *middle;
    return true;
  }

  // Normal along x or z, through the middle of the joints or the origin.
  MirrorMap bestUprightPlane() const {
    vec3 middle(0.0f);
    for (const std::uint32_t joint : joints_)
      middle += positions_[joint] / static_cast<float>(joints_.size());
    MirrorMap best;
    std::ptrdiff_t bestPairs = -1;
    for (const int axis : {0, 2})
      for (const float offset : {0.0f, middle[axis]}) {
        MirrorMap map;
        map.normal = vec3(0.0f);
        map.normal[axis] = 1.0f;
        map.offset = offset;
        pairByPosition(map);
        const std::ptrdiff_t pairs =
            std::count_if(joints_.begin(), joints_.end(), [&](std::uint32_t joint) {
              return map.partner[joint] != kNoNode && map.partner[joint] != joint;
            });
        if (pairs <= bestPairs) continue;
        bestPairs = pairs;
        best = std::move(map);
      }
    return best;
  }

  // Parents come first: a node's partner is one of its parent's partner's children.
  void pairByPosition(MirrorMap& map) const {
    map.partner = names_.partner;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (map.partner[i] != kNoNode) continue;
      const std::uint32_t parent = nodes_[i].parent;
      const std::uint32_t across = parent == kNoNode ? parent : map.partner[parent];
      // A node that is no joint belongs to both sides even off the plane.
      if (parent == kNoNode || (across == parent && !isJoint_[i])) {
        map.partner[i] = i;
        continue;
      }
      if (across == kNoNode) continue;
      const vec3 image = reflect(map.normal, positions_[i]) + 2.0f * map.offset * map.normal;
      std::uint32_t nearest = kNoNode;
      float distance = near_;
      for (const std::uint32_t child : children_[across]) {
        const float d = glm::length(positions_[child] - image);
        if (map.partner[child] != kNoNode || d > distance) continue;
        distance = d;
        nearest = child;
      }
      if (nearest == kNoNode) continue;
      map.partner[i] = nearest;
      map.partner[nearest] = i;
    }
  }

  const std::vector<Node>& nodes_;
  std::vector<std::uint32_t> joints_;
  SidePartners names_;
  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<vec3> positions_;
  std::vector<bool> isJoint_; // by node
  float near_ = 0.0f;
};

// A pose's nodes in model space.
struct ModelSpacePose {
  std::vector<mat4> modelFromNode;
  std::vector<quat> rotation; // without scale and reflection

  ModelSpacePose(const Hierarchy& hierarchy, const Pose& pose)
      : modelFromNode(modelFromNodes(hierarchy, pose)) {
    rotation.reserve(modelFromNode.size());
    for (const mat4& m : modelFromNode)
      rotation.push_back(polar(mat3(m)).rotation);
  }
};

mat3 parentLinear(const Hierarchy& hierarchy, const ModelSpacePose& pose, std::uint32_t node) {
  const std::uint32_t parent = hierarchy.nodes[node].parent;
  return parent == kNoNode ? mat3(1.0f) : mat3(pose.modelFromNode[parent]);
}

// A file's bind pose may face another way than its rest pose: bound nodes are mirrored in the plane
// of the bind pose, posed ones in that plane rotated to the rest pose.
struct Planes {
  vec3 bind{1.0f, 0.0f, 0.0f}; // normals
  vec3 model{1.0f, 0.0f, 0.0f};
  std::vector<bool> bound; // per node: a joint or below one

  const vec3& of(std::uint32_t node) const { return node != kNoNode && bound[node] ? bind : model; }
};

// From the rotation about the vertical between the topmost joint's bind and rest pose, rounded to
// quarter circles.
Planes findPlanes(const Model& model, const MirrorMap& map, const ModelSpacePose& bound) {
  const std::vector<Node>& nodes = model.hierarchy.nodes;
  Planes planes{map.normal, map.normal, std::vector<bool>(nodes.size(), false)};
  const std::vector<std::uint32_t> joints = jointNodes(model);
  for (const std::uint32_t joint : joints)
    planes.bound[joint] = true;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].parent != kNoNode && planes.bound[nodes[i].parent]) planes.bound[i] = true;
  if (joints.empty()) return planes;
  const ModelSpacePose rest(model.hierarchy, restPose(model.hierarchy));
  const quat change = rest.rotation[joints[0]] * glm::conjugate(bound.rotation[joints[0]]);
  constexpr float kQuarter = 1.57079632679f;
  const float yaw = kQuarter * std::round(2.0f * std::atan2(change.y, change.w) / kQuarter);
  planes.model = glm::angleAxis(yaw, vec3(0, 1, 0)) * map.normal;
  return planes;
}

// The mirror image of a rotation from bind to posed space.
quat mirroredChange(const quat& change, const vec3& inBind, const vec3& inModel) {
  // Two reflections are a rotation: in pure quaternions S_a S_b x = (a b) x (b a).
  const quat both(-glm::dot(inModel, inBind), glm::cross(inModel, inBind));
  return reflect(inModel, change) * both;
}

// The local transform that mirrors the partner's change from the bind pose, except its rotation.
Transform mirroredChange(const Model& model, const MirrorMap& map, const Planes& planes,
                         const Pose& pose, const Pose& bind, const ModelSpacePose& bound,
                         std::uint32_t node) {
  const std::uint32_t from = map.partner[node];
  const Transform& was = bind.parentFromNode[from];
  const Transform& is = pose.parentFromNode[from];
  Transform out = bind.parentFromNode[node];
  const vec3 moved =
      parentLinear(model.hierarchy, bound, from) * (is.translation - was.translation);
  const mat3 linear = parentLinear(model.hierarchy, bound, node);
  if (std::abs(glm::determinant(linear)) > 0.0f)
    out.translation +=
        glm::inverse(linear) * reflect(planes.of(model.hierarchy.nodes[node].parent), moved);
  // An axis corresponds to the partner's axis whose mirror image is closest in direction.
  const mat3 fromAxes = glm::mat3_cast(bound.rotation[from]);
  const mat3 toAxes = glm::mat3_cast(bound.rotation[node]);
  for (int i = 0; i < 3; ++i) {
    int like = 0;
    float closest = -1.0f;
    for (int k = 0; k < 3; ++k) {
      const float d = std::abs(glm::dot(reflect(planes.of(node), fromAxes[k]), toAxes[i]));
      if (d <= closest + 1e-4f) continue;
      closest = d;
      like = k;
    }
    if (was.scale[like] != 0.0f) out.scale[i] *= is.scale[like] / was.scale[like];
  }
  return out;
}

} // namespace

MirrorMap mirrorMap(const Model& model) {
  return PartnerFinder(model).find();
}

namespace {

// Exchanges the weights of "smile.L" and "smile.R".
void mirrorWeights(const Model& model, MorphWeights& weights) {
  const MorphWeights before = weights;
  const std::vector<std::string> labels = morphLabels(model);
  for (std::size_t i = 0; i < before.size(); ++i)
    for (const SideName& side : sideNames(labels[i])) {
      const auto other = indexOfLabel(labels, side.other);
      if (!other) continue;
      weights[i] = before[*other];
      break;
    }
}

} // namespace

Pose mirrored(const Model& model, const MirrorMap& map, const Pose& pose) {
  const Hierarchy& hierarchy = model.hierarchy;
  const Pose bind = bindPose(model);
  const ModelSpacePose bound(hierarchy, bind);
  const ModelSpacePose posed(hierarchy, pose);
  const Planes planes = findPlanes(model, map, bound);
  Pose out = pose;
  std::vector<mat4> modelFromNode(hierarchy.nodes.size());
  for (std::uint32_t i = 0; i < hierarchy.nodes.size(); ++i) {
    const std::uint32_t parent = hierarchy.nodes[i].parent;
    const mat4 above = parent == kNoNode ? mat4(1.0f) : modelFromNode[parent];
    if (const std::uint32_t from = map.partner[i]; from != kNoNode) {
      out.parentFromNode[i] = mirroredChange(model, map, planes, pose, bind, bound, i);
      const quat change = posed.rotation[from] * glm::conjugate(bound.rotation[from]);
      const quat wanted = mirroredChange(change, planes.of(i), planes.model) * bound.rotation[i];
      const quat local = glm::normalize(glm::conjugate(polar(mat3(above)).rotation) * wanted);
      const bool far = glm::dot(local, bind.parentFromNode[i].rotation) < 0.0f;
      out.parentFromNode[i].rotation = far ? -local : local; // the nearer of its two signs
      if (!pose.twists.empty()) setTwistAt(out, i, -twistAt(pose, from));
    }
    modelFromNode[i] = above * toMatrix(out.parentFromNode[i]);
  }
  mirrorWeights(model, out.morphWeights);
  return out;
}

Pose mirroredOnto(const Model& model, const MirrorMap& map, const Pose& pose, std::uint32_t node) {
  const std::uint32_t onto = map.partner[node];
  if (onto == kNoNode) return pose;
  const Pose image = mirrored(model, map, pose);
  Pose out = pose;
  std::vector<bool> below(pose.parentFromNode.size(), false);
  for (std::uint32_t i = onto; i < below.size(); ++i) {
    const std::uint32_t parent = model.hierarchy.nodes[i].parent;
    below[i] = i == onto || (parent != kNoNode && below[parent]);
    if (!below[i]) continue;
    out.parentFromNode[i] = image.parentFromNode[i];
    if (!pose.twists.empty()) setTwistAt(out, i, twistAt(image, i));
  }
  return out;
}

} // namespace sinew
