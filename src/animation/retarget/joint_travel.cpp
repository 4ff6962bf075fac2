#include "animation/retarget/joint_travel.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <set>

namespace sinew {
namespace {

class TravelPlan {
 public:
  TravelPlan(const Model& model, const RestSkeleton& rest, const RestSkeleton& motionRest,
             std::span<const JointPair> pairs, const Relation& relation, const quat& facing)
      : model_(model), rest_(rest), motionRest_(motionRest), pairs_(pairs), relation_(relation),
        facing_(facing) {
    findTravellers();
    findAnchors();
    findHung();
    findFollowers();
  }
  JointTravel take() { return std::move(out_); }

 private:
  bool isBelow(std::uint32_t node, std::uint32_t top) const {
    while (node != kNoNode && node != top)
      node = rest_.parent(node);
    return node == top;
  }

  // Root pairs above at least half of the model's joints take over translations. Others (where only
  // a head is matched) would be torn off their parents. What is moved is the pair's joint, or where
  // skin hangs on joints elsewhere (legs beside the spine that was matched) the joint above all of
  // them.
  void findTravellers() {
    const std::vector<std::uint32_t> joints = jointNodes(model_);
    const std::vector<std::uint32_t> skinned = jointsWithSkin();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const JointPair& pair = pairs_[i];
      const auto below = [&](std::uint32_t top) {
        return [this, top](std::uint32_t node) { return isBelow(node, top); };
      };
      const auto count = std::count_if(joints.begin(), joints.end(), below(pair.model));
      out_.travels.push_back(!pair.parent && 2 * static_cast<std::size_t>(count) >= joints.size());
      if (!out_.travels[i]) continue;
      std::uint32_t carrier = pair.model;
      while (carrier != kNoNode && !std::all_of(skinned.begin(), skinned.end(), below(carrier)))
        carrier = rest_.parent(carrier);
      if (carrier == kNoNode || carrier == pair.model) continue;
      out_.travels[i] = false;
      out_.carriers.push_back(carrier);
      out_.carried.push_back(i);
    }
  }

  // The nearest joint above a pair's in the motion that a joint of the model follows.
  std::optional<std::size_t> pairAboveInMotion(std::size_t i) const {
    for (std::uint32_t up = motionRest_.parent(pairs_[i].motion); up != kNoNode;
         up = motionRest_.parent(up))
      for (std::size_t j = 0; j < pairs_.size(); ++j)
        if (pairs_[j].motion == up) return j;
    return std::nullopt;
  }

  // A root that stands on the ground here and in the body there would swing the body around when it
  // rotates: what is below both has to stay where the motion has it.
  void findAnchors() {
    constexpr float kElsewhere = 0.05f; // fraction of the skeleton's size
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const JointPair& pair = pairs_[i];
      vec3 sum(0.0f);
      float count = 0.0f;
      for (std::size_t j = 0; out_.travels[i] && j < pairs_.size(); ++j) {
        const JointPair& child = pairs_[j];
        if (child.parent != i || pairAboveInMotion(j) != i) continue;
        const vec3 there = motionRest_.position[child.motion] - motionRest_.position[pair.motion];
        sum += rest_.position[child.model] - rest_.position[pair.model] -
               relation_.scale * (facing_ * there);
        count += 1.0f;
      }
      const vec3 mean = sum / std::max(count, 1.0f);
      const bool elsewhere = glm::length(mean) > kElsewhere * relation_.size;
      out_.anchors.push_back(elsewhere ? mean : vec3(0.0f));
    }
  }

  // Matched joints that hang in the motion on a limb (a foot on its shin), and here beside it (the
  // foot on the root, as a goal for the leg): they go where the limb's joint goes.
  void findHung() {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const std::optional<std::size_t> limb = pairAboveInMotion(i);
      if (out_.travels[i] || !limb || isBelow(pairs_[i].model, pairs_[*limb].model) ||
          isBelow(pairs_[*limb].model, pairs_[i].model))
        continue;
      out_.hung.push_back(i);
      out_.limbs[i] = *limb;
    }
    std::sort(out_.hung.begin(), out_.hung.end(),
              [&](std::size_t a, std::size_t b) { return pairs_[a].motion < pairs_[b].motion; });
  }

  // Nodes that move skin by more than a trace.
  std::vector<std::uint32_t> jointsWithSkin() const {
    std::set<std::uint32_t> out;
    for (const Mesh& mesh : model_.meshes) {
      if (!mesh.skin) continue;
      const std::vector<SkinJoint>& joints = model_.skins[*mesh.skin].joints;
      for (std::size_t v = 0; v < mesh.influences.vertexCount(); ++v)
        for (const Influence& influence : mesh.influences.of(v))
          if (influence.weight > 0.1f) out.insert(joints[influence.joint].node);
    }
    return {out.begin(), out.end()};
  }

  // Rigs for animators hang the skin of a hand on a goal that its arm reaches for, beside the arm:
  // it would stay where it is. Nodes that nothing matched moves but what is above both follow
  // rigidly the node in whose place they rest.
  void findFollowers() {
    constexpr std::size_t kNone = ~std::size_t{0};
    const std::vector<Node>& nodes = model_.hierarchy.nodes;
    const std::vector<std::uint32_t> skinned = jointsWithSkin();
    std::vector<std::size_t> pairAbove(nodes.size(), kNone); // or at the node
    std::vector<char> carriesPair(nodes.size(), 0);
    std::vector<char> carriesSkin(nodes.size(), 0);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      pairAbove[pairs_[i].model] = i;
    for (const std::uint32_t node : skinned)
      carriesSkin[node] = 1;
    for (std::uint32_t node = 0; node < nodes.size(); ++node)
      if (pairAbove[node] != kNone)
        carriesPair[node] = 1;
      else if (nodes[node].parent != kNoNode)
        pairAbove[node] = pairAbove[nodes[node].parent];
    for (auto node = static_cast<std::uint32_t>(nodes.size()); node-- > 0;)
      if (const std::uint32_t parent = nodes[node].parent; parent != kNoNode) {
        carriesPair[parent] |= carriesPair[node];
        carriesSkin[parent] |= carriesSkin[node];
      }
    const float near = 1e-3f * relation_.size;
    const auto isFollowed = [&](std::uint32_t other, std::uint32_t node) {
      const std::size_t there = pairAbove[other];
      const std::size_t here = pairAbove[node];
      return there != kNone && there != here &&
             glm::distance(rest_.position[node], rest_.position[other]) <= near &&
             (here == kNone || isBelow(pairs_[there].model, pairs_[here].model));
    };
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      if (carriesPair[node] != 0 || carriesSkin[node] == 0 || isFollower(node)) continue;
      for (std::uint32_t other = 0; other < nodes.size(); ++other)
        if (isFollowed(other, node)) {
          out_.followers.push_back(node);
          out_.followed.push_back(other);
          break;
        }
    }
  }

  bool isFollower(std::uint32_t node) const {
    return std::any_of(out_.followers.begin(), out_.followers.end(),
                       [&](std::uint32_t top) { return isBelow(node, top); });
  }

  const Model& model_;
  const RestSkeleton& rest_;
  const RestSkeleton& motionRest_;
  std::span<const JointPair> pairs_;
  const Relation& relation_;
  quat facing_;
  JointTravel out_;
};

} // namespace

JointTravel planTravel(const Model& model, const RestSkeleton& rest, const RestSkeleton& motionRest,
                       std::span<const JointPair> pairs, const Relation& relation,
                       const quat& facing) {
  return TravelPlan(model, rest, motionRest, pairs, relation, facing).take();
}

} // namespace sinew
