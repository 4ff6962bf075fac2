#include "rig/bone_axes.h"

#include "rig/welded_vertices.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>

namespace sinew {
namespace {

// The skin of a joint: the sum of its weights and weighted positions. A position at a seam counts
// once: how often a file repeats it there does not decide where a bone points.
struct CarriedSkin {
  double weight = 0.0;
  glm::dvec3 sum{0.0};

  vec3 centroid() const { return vec3(sum / weight); }
};

std::vector<CarriedSkin> carriedSkin(const Rig& rig, const std::vector<std::uint32_t>& surface) {
  std::vector<CarriedSkin> skin(rig.joints.size());
  for (const std::uint32_t v : surface) {
    for (const Influence& influence : rig.influences.of(v)) {
      const auto weight = static_cast<double>(influence.weight);
      skin[influence.joint].weight += weight;
      skin[influence.joint].sum += weight * glm::dvec3(rig.positions[v]);
    }
  }
  return skin;
}

// Each joint's weight with that of its descendants. Joints may be in any order, so leaves come
// first.
std::vector<double> subtreeWeight(const Rig& rig, const std::vector<CarriedSkin>& skin) {
  const std::size_t count = rig.joints.size();
  std::vector<double> weight(count);
  std::vector<std::uint32_t> waiting(count, 0), ready; // waiting: number of children
  for (std::size_t j = 0; j < count; ++j) {
    weight[j] = skin[j].weight;
    if (const std::uint32_t parent = rig.joints[j].parent; parent != kNoNode) ++waiting[parent];
  }
  for (std::uint32_t j = 0; j < count; ++j)
    if (waiting[j] == 0) ready.push_back(j);
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const std::uint32_t parent = rig.joints[ready[i]].parent;
    if (parent == kNoNode) continue;
    weight[parent] += weight[ready[i]];
    if (--waiting[parent] == 0) ready.push_back(parent);
  }
  return weight;
}

// Extent of each joint's own skin along its direction: the farthest vertex of which it has half.
std::vector<float> skinExtents(const Rig& rig, const std::vector<std::uint32_t>& surface,
                               const std::vector<BoneAxis>& axes) {
  std::vector<float> extents(axes.size(), 0.0f);
  for (const std::uint32_t v : surface) {
    const Influence& first = rig.influences.of(v)[0];
    if (first.weight < 0.5f) continue;
    const BoneAxis& axis = axes[first.joint];
    extents[first.joint] =
        std::max(extents[first.joint], glm::dot(rig.positions[v] - axis.center, axis.direction));
  }
  return extents;
}

class AxisFinder {
 public:
  explicit AxisFinder(const Rig& rig)
      : rig_(rig), surface_(surfaceVertices(rig)), skin_(carriedSkin(rig, surface_)),
        subtree_(subtreeWeight(rig, skin_)),
        epsilon_(std::max(1e-5f * computeBounds(rig.positions).size(), 1e-30f)),
        axes_(rig.joints.size()), isSplineOnly_(rig.joints.size(), false) {
    for (const RigSpline& spline : rig.splines)
      if (spline.source != kNoNode)
        for (const std::uint32_t joint : spline.joints)
          isSplineOnly_[joint] = subtree_[joint] == 0.0;
  }

  std::vector<BoneAxis> find() {
    for (std::size_t j = 0; j < axes_.size(); ++j)
      axes_[j].center = vec3(glm::inverse(rig_.joints[j].jointFromBind)[3]);
    const std::vector<std::uint32_t> followers = findMainChildren();
    for (std::size_t j = 0; j < axes_.size(); ++j)
      followers[j] != kNoNode ? pointAt(j, axes_[followers[j]].center) : pointAway(j);
    const std::vector<float> extents = skinExtents(rig_, surface_, axes_);
    for (std::size_t j = 0; j < axes_.size(); ++j)
      if (followers[j] == kNoNode) axes_[j].length = endLength(j, extents[j]);
    for (std::size_t j = 0; j < axes_.size(); ++j)
      axes_[j].parentLength = parentLength(j);
    return std::move(axes_);
  }

 private:
  float distance(std::size_t a, std::size_t b) const {
    return glm::length(axes_[a].center - axes_[b].center);
  }

  // Children at the position of their parent give no direction; nor do control points of splines
  // that have been laid on a skeleton, or they would change its bones.
  std::vector<std::uint32_t> findMainChildren() const {
    std::vector<std::uint32_t> follower(axes_.size(), kNoNode);
    for (std::uint32_t j = 0; j < axes_.size(); ++j) {
      const std::uint32_t parent = rig_.joints[j].parent;
      if (parent == kNoNode || isSplineOnly_[j] || distance(j, parent) <= epsilon_) continue;
      const std::uint32_t best = follower[parent];
      const bool better =
          best == kNoNode || subtree_[j] > subtree_[best] ||
          (subtree_[j] == subtree_[best] && distance(j, parent) > distance(best, parent));
      if (better) follower[parent] = j;
    }
    return follower;
  }

  void pointAt(std::size_t joint, const vec3& target) {
    BoneAxis& axis = axes_[joint];
    axis.length = glm::length(target - axis.center);
    axis.direction = (target - axis.center) / axis.length;
  }

  vec3 fromParent(std::size_t joint) const {
    const std::uint32_t parent = rig_.joints[joint].parent;
    return parent != kNoNode ? axes_[joint].center - axes_[parent].center : vec3(0.0f);
  }

  void pointAway(std::size_t joint) {
    BoneAxis& axis = axes_[joint];
    const vec3 away = fromParent(joint);
    if (glm::length(away) > epsilon_) {
      axis.direction = glm::normalize(away);
    } else if (skin_[joint].weight > 0.0) {
      const vec3 towards = skin_[joint].centroid() - axis.center;
      if (glm::length(towards) > epsilon_) axis.direction = glm::normalize(towards);
    }
  }

  // The length of a bone that ends in no joint: as far as its skin, else as long as the one before.
  float endLength(std::size_t joint, float extent) const {
    if (extent > epsilon_) return extent;
    const float before = glm::length(fromParent(joint));
    return before > epsilon_ ? before : 1000.0f * epsilon_;
  }

  float parentLength(std::size_t joint) const {
    const std::uint32_t parent = rig_.joints[joint].parent;
    const float length = parent != kNoNode ? distance(joint, parent) : 0.0f;
    return length > epsilon_ ? length : axes_[joint].length;
  }

  const Rig& rig_;
  std::vector<std::uint32_t> surface_;
  std::vector<CarriedSkin> skin_;
  std::vector<double> subtree_;
  float epsilon_; // lengths up to this count as 0
  std::vector<BoneAxis> axes_;
  std::vector<bool> isSplineOnly_; // a joint that carries a control point and no skin
};

} // namespace

std::vector<BoneAxis> boneAxes(const Rig& rig) {
  return AxisFinder(rig).find();
}

} // namespace sinew
