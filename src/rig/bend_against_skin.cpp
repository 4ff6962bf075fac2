#include "model/mesh.h"
#include "rig/rig_steps.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

constexpr float kShared = 0.05f;         // a vertex's least weight of either
constexpr float kSamePlace = 1e-4f;      // the skeleton's size is 1
constexpr float kDetour = 1.05f;         // the way by a bone in between; the direct one is 1
constexpr std::size_t kNeighbours = 64;  // bones beside a joint that are looked at
constexpr std::uint32_t kControls = 64;  // ancestors without skin that are looked at
constexpr std::uint32_t kDeepest = 1024; // bones above a new parent

// Per joint with skin: whether no vertex follows it and its ancestor.
std::vector<bool> findWanting(const Rig& rig) {
  std::vector<bool> wanting = jointsWithSkin(rig);
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const auto vertex = rig.influences.of(v);
    for (const Influence& influence : vertex) {
      if (!wanting[influence.joint] || influence.weight < kShared) continue;
      const std::uint32_t up = rig.joints[influence.joint].ancestor;
      wanting[influence.joint] = up != kNoNode && getWeight(vertex, up) < kShared;
    }
  }
  return wanting;
}

// Per joint that wants a parent: the bones that share skin with it, each with how much of a vertex
// both have, summed over the vertices.
std::vector<std::vector<Influence>> shareSkin(const Rig& rig, const std::vector<bool>& wanting) {
  std::vector<std::vector<Influence>> out(rig.joints.size());
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const auto vertex = rig.influences.of(v);
    for (const Influence& influence : vertex) {
      if (!wanting[influence.joint] || influence.weight < kShared) continue;
      std::vector<Influence>& bones = out[influence.joint];
      for (const Influence& other : vertex) {
        if (other.joint == influence.joint || other.weight < kShared) continue;
        const float both = std::min(influence.weight, other.weight);
        const auto bone = std::ranges::find(bones, other.joint, &Influence::joint);
        if (bone != bones.end())
          bone->weight += both;
        else if (bones.size() < kNeighbours)
          bones.push_back({other.joint, both});
      }
    }
  }
  return out;
}

class ParentFinder {
 public:
  ParentFinder(const Hierarchy& hierarchy, Rig& rig) : rig_(rig), hasSkin_(jointsWithSkin(rig)) {
    const std::vector<mat4> rest = restOfNodes(hierarchy);
    for (const RigJoint& joint : rig.joints)
      places_.emplace_back(rest[joint.node][3]);
    samePlace_ = kSamePlace * computeBounds(places_).size();
  }

  void run() {
    const std::vector<std::vector<Influence>> shared = shareSkin(rig_, findWanting(rig_));
    for (std::uint32_t j = 0; j < shared.size(); ++j)
      if (const std::uint32_t found = findParent(j, shared[j]); found != kNoNode)
        rig_.joints[j].parent = found;
  }

 private:
  // A bone that shares skin with the joint and stands for its nearest ancestor; among several, that
  // which shares most.
  std::uint32_t findParent(std::uint32_t joint, const std::vector<Influence>& bones) const {
    if (bones.empty()) return kNoNode;
    std::uint32_t up = rig_.joints[joint].ancestor;
    for (std::uint32_t i = 0; i < kControls && up != kNoNode; ++i) {
      std::uint32_t best = kNoNode;
      float largest = 0.0f;
      for (const auto [bone, weight] : bones)
        if (weight > largest && standsFor(bone, up, joint) && isFree(joint, bone)) {
          best = bone;
          largest = weight;
        }
      if (best != kNoNode || hasSkin_[up]) return best;
      up = rig_.joints[up].ancestor;
    }
    return kNoNode;
  }

  bool standsFor(std::uint32_t bone, std::uint32_t ancestor, std::uint32_t joint) const {
    const float there = glm::distance(places_[bone], places_[ancestor]);
    if (!hasSkin_[ancestor]) return there <= samePlace_;
    return bone == ancestor ||
           (rig_.joints[bone].ancestor == ancestor &&
            there + glm::distance(places_[bone], places_[joint]) <=
                kDetour * glm::distance(places_[ancestor], places_[joint]) + samePlace_);
  }

  // Whether the joint is not above the bone, which would be a circle.
  bool isFree(std::uint32_t joint, std::uint32_t bone) const {
    for (std::uint32_t i = 0; i < kDeepest && bone != joint; ++i) {
      if (bone == kNoNode) return true;
      bone = rig_.joints[bone].parent;
    }
    return false;
  }

  Rig& rig_;
  std::vector<bool> hasSkin_;
  std::vector<vec3> places_; // at rest
  float samePlace_ = 0.0f;
};

} // namespace

void bendAgainstSkin(const Hierarchy& hierarchy, Rig& rig) {
  ParentFinder(hierarchy, rig).run();
}

} // namespace sinew
