#include "physics/body_tree.h"

#include "animation/retarget/joint_names.h"
#include "animation/side_names.h"
#include "core/error.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <string>

namespace sinew {
namespace {

// A bone is merged into its parent when it is short and light against the whole.
constexpr float kShort = 0.09f;
constexpr float kLight = 0.04f;
// One that is shorter still is, however thick.
constexpr float kTiny = 0.03f;
// A bone with a smaller fraction of the vertices carries no body.
constexpr double kFewVertices = 0.001;

float boxVolume(const std::vector<vec3>& points) {
  const vec3 extent = computeBounds(points).extent();
  return extent.x * extent.y * extent.z;
}

class TreeBuilder {
 public:
  TreeBuilder(const Model& model, const Rig& rig) : model_(model), rig_(rig) {}

  BodyTree build() {
    gatherSkin();
    linkByHierarchy();
    attachLooseRoots();
    sort();
    mergeSmall();
    findTips();
    return std::move(tree_);
  }

 private:
  bool counts(std::size_t vertex) const { return model_.skins.empty() || skinned_[vertex] != 0; }

  // Rigid meshes of a skinned model (a sword, a helmet) follow their bones and shape no body.
  void gatherSkin() {
    skinned_.assign(rig_.positions.size(), 0);
    for (std::size_t m = 0; m < rig_.meshes.size(); ++m)
      for (std::uint32_t v = 0; v < rig_.meshes[m].vertexCount; ++v)
        skinned_[rig_.meshes[m].firstVertex + v] = model_.meshes[m].skin ? 1 : 0;
    const std::vector<mat4> modelFromNode = modelFromNodes(model_.hierarchy, bindPose(model_));
    std::map<std::uint32_t, std::vector<vec3>> skin;
    Bounds bounds;
    skinPositions_.resize(rig_.positions.size());
    std::size_t counted = 0;
    for (std::size_t v = 0; v < rig_.positions.size(); ++v) {
      if (!counts(v)) continue;
      const RigJoint& joint = rig_.joints[rig_.influences.of(v)[0].joint];
      skinPositions_[v] =
          transformPoint(modelFromNode[joint.node] * joint.jointFromBind, rig_.positions[v]);
      skin[joint.node].push_back(skinPositions_[v]);
      bounds.include(skinPositions_[v]);
      ++counted;
    }
    if (counted == 0)
      throw inputError(model_.path.empty() ? model_.name : model_.path,
                       "there is no skin to fit a ragdoll to");
    const vec3 extent = bounds.extent();
    tree_.size = std::max({extent.x, extent.y, extent.z});
    if (!(tree_.size > 0.0f))
      throw inputError(model_.path.empty() ? model_.name : model_.path, "the mesh has no size");
    const auto few = static_cast<std::size_t>(kFewVertices * static_cast<double>(counted));
    for (auto& [node, points] : skin) // nodes ascend, so parents come first
      if (points.size() > few || skin.size() == 1) {
        BodyBone bone;
        bone.node = node;
        bone.joint = vec3(modelFromNode[node][3]);
        bone.skin = std::move(points);
        tree_.bones.push_back(std::move(bone));
      }
  }

  void linkByHierarchy() {
    boneOfNode_.assign(model_.hierarchy.nodes.size(), kNoNode);
    for (std::uint32_t i = 0; i < tree_.bones.size(); ++i)
      boneOfNode_[tree_.bones[i].node] = i;
    rootOfBone_.resize(tree_.bones.size());
    for (std::uint32_t i = 0; i < tree_.bones.size(); ++i) {
      BodyBone& bone = tree_.bones[i];
      std::uint32_t up = model_.hierarchy.nodes[bone.node].parent;
      while (up != kNoNode && boneOfNode_[up] == kNoNode)
        up = model_.hierarchy.nodes[up].parent;
      if (up != kNoNode) bone.parent = boneOfNode_[up];
      rootOfBone_[i] = bone.parent == kNoNode ? i : rootOfBone_[bone.parent]; // parents come first
    }
  }

  // The tree with the most skin is the body; the roots of the others are attached to it, one after
  // the other: each to a bone that is already part of the body, so that no circle can arise.
  void attachLooseRoots() {
    std::map<std::uint32_t, float> volumes; // volume of each tree, by root
    for (std::uint32_t i = 0; i < tree_.bones.size(); ++i)
      volumes[rootOfBone_[i]] +=
          boxVolume(tree_.bones[i].skin) + 1e-9f * static_cast<float>(tree_.bones[i].skin.size());
    const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
    const std::uint32_t body = std::max_element(volumes.begin(), volumes.end(), less)->first;
    gatherSkinOfRoots(volumes);
    boundsOfBones();
    for (const auto& [loose, volume] : volumes) {
      if (loose == body) continue;
      if (!attachBySharedSkin(loose, body)) attachByDistance(loose, body);
      std::replace(rootOfBone_.begin(), rootOfBone_.end(), loose, body);
    }
  }

  // The vertices that follow each root, in one pass: there may be hundreds of roots.
  void gatherSkinOfRoots(const std::map<std::uint32_t, float>& roots) {
    for (std::uint32_t v = 0; v < skinPositions_.size(); ++v) {
      if (!counts(v)) continue;
      for (const Influence& influence : rig_.influences.of(v)) {
        const std::uint32_t bone = boneOfNode_[rig_.joints[influence.joint].node];
        if (bone == kNoNode || !roots.contains(bone) || influence.weight <= 0.0f) continue;
        std::vector<std::uint32_t>& vertices = skinOfRoot_[bone];
        if (vertices.empty() || vertices.back() != v) vertices.push_back(v);
      }
    }
  }

  void boundsOfBones() {
    for (const BodyBone& bone : tree_.bones)
      bounds_.push_back(computeBounds(bone.skin));
  }

  // To the bone with which it shares the most weight, joined in the middle of the shared skin.
  bool attachBySharedSkin(std::uint32_t loose, std::uint32_t body) {
    std::map<std::uint32_t, std::pair<double, glm::dvec3>> shared;
    for (const std::uint32_t v : skinOfRoot_[loose]) {
      float own = 0.0f;
      for (const Influence& influence : rig_.influences.of(v))
        if (rig_.joints[influence.joint].node == tree_.bones[loose].node) own += influence.weight;
      for (const Influence& influence : rig_.influences.of(v)) {
        const std::uint32_t other = boneOfNode_[rig_.joints[influence.joint].node];
        if (other == kNoNode || rootOfBone_[other] != body) continue;
        const auto weight = static_cast<double>(std::min(own, influence.weight));
        shared[other].first += weight;
        shared[other].second += weight * glm::dvec3(skinPositions_[v]);
      }
    }
    const auto less = [](const auto& a, const auto& b) { return a.second.first < b.second.first; };
    const auto best = std::max_element(shared.begin(), shared.end(), less);
    if (best == shared.end() || best->second.first < 0.5) return false;
    tree_.bones[loose].parent = best->first;
    tree_.bones[loose].joint = vec3(best->second.second / best->second.first);
    return true;
  }

  void attachByDistance(std::uint32_t loose, std::uint32_t body) {
    BodyBone& bone = tree_.bones[loose];
    bone.parent = body;
    float nearest = std::numeric_limits<float>::max();
    for (std::uint32_t i = 0; i < tree_.bones.size(); ++i) {
      if (rootOfBone_[i] != body) continue;
      const vec3 inBox = glm::clamp(bone.joint, bounds_[i].min, bounds_[i].max);
      if (glm::length(inBox - bone.joint) >= nearest) continue;
      for (const vec3& point : tree_.bones[i].skin) {
        const float distance = glm::length(point - bone.joint);
        if (distance >= nearest) continue;
        nearest = distance;
        bone.parent = i;
      }
    }
  }

  // Parents first, also where a bone is attached to one of a later node.
  void sort() {
    std::vector<BodyBone> sorted;
    std::vector<std::uint32_t> newIndex(tree_.bones.size(), kNoNode);
    for (std::size_t before = kNoNode; before != sorted.size();) {
      before = sorted.size();
      for (std::uint32_t i = 0; i < tree_.bones.size(); ++i) {
        const std::uint32_t parent = tree_.bones[i].parent;
        if (newIndex[i] != kNoNode || (parent != kNoNode && newIndex[parent] == kNoNode)) continue;
        newIndex[i] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(std::move(tree_.bones[i]));
        if (parent != kNoNode) sorted.back().parent = newIndex[parent];
      }
    }
    tree_.bones = std::move(sorted);
  }

  std::vector<std::uint32_t> childrenOfBone(std::uint32_t bone) const {
    std::vector<std::uint32_t> children;
    for (std::uint32_t i = bone + 1; i < tree_.bones.size(); ++i)
      if (tree_.bones[i].parent == bone) children.push_back(i);
    return children;
  }

  // How far a bone goes: to its furthest child, or to the end of its skin.
  float computeReach(std::uint32_t bone) const {
    float reach = 0.0f;
    for (const std::uint32_t child : childrenOfBone(bone))
      reach = std::max(reach, glm::length(tree_.bones[child].joint - tree_.bones[bone].joint));
    if (reach > 0.0f) return reach;
    for (const vec3& point : tree_.bones[bone].skin)
      reach = std::max(reach, glm::length(point - tree_.bones[bone].joint));
    return reach;
  }

  void mergeSmall() {
    float total = 0.0f;
    for (const BodyBone& bone : tree_.bones)
      total += boxVolume(bone.skin);
    for (auto i = static_cast<std::uint32_t>(tree_.bones.size()); i-- > 1;) {
      const float reach = computeReach(i);
      const bool small =
          reach < kShort * tree_.size && boxVolume(tree_.bones[i].skin) < kLight * total;
      if (small || reach < kTiny * tree_.size) mergeIntoParent(i);
    }
  }

  void mergeIntoParent(std::uint32_t bone) {
    BodyBone& gone = tree_.bones[bone];
    BodyBone& parent = tree_.bones[gone.parent];
    parent.merged.push_back(gone.node);
    parent.merged.insert(parent.merged.end(), gone.merged.begin(), gone.merged.end());
    parent.skin.insert(parent.skin.end(), gone.skin.begin(), gone.skin.end());
    const std::uint32_t into = gone.parent;
    tree_.bones.erase(tree_.bones.begin() + bone);
    for (BodyBone& each : tree_.bones)
      if (each.parent != kNoNode) {
        if (each.parent == bone)
          each.parent = into;
        else if (each.parent > bone)
          --each.parent;
      }
  }

  // A bone's tip is at the child whose limb reaches furthest; a leaf's tip is where its skin ends.
  void findTips() {
    std::vector<float> below(tree_.bones.size(), 0.0f); // longest path down
    std::vector<std::uint32_t> next(tree_.bones.size(), kNoNode);
    for (auto i = static_cast<std::uint32_t>(tree_.bones.size()); i-- > 1;) {
      const std::uint32_t parent = tree_.bones[i].parent;
      const float path = glm::length(tree_.bones[i].joint - tree_.bones[parent].joint) + below[i];
      // A child at its parent's joint gives no direction.
      if (glm::length(tree_.bones[i].joint - tree_.bones[parent].joint) < 1e-3f * tree_.size)
        continue;
      if (path < below[parent]) continue;
      below[parent] = path;
      next[parent] = i;
    }
    for (std::uint32_t i = 0; i < tree_.bones.size(); ++i) {
      BodyBone& bone = tree_.bones[i];
      bone.leaf = next[i] == kNoNode;
      bone.tip = bone.leaf ? endOfSkin(bone) : tree_.bones[next[i]].joint;
    }
  }

  vec3 endOfSkin(const BodyBone& bone) const {
    const vec3 sum = std::accumulate(bone.skin.begin(), bone.skin.end(), vec3(0.0f));
    vec3 direction = sum / static_cast<float>(bone.skin.size()) - bone.joint;
    if (glm::length(direction) < 1e-4f * tree_.size) direction = vec3(0.0f, 1.0f, 0.0f);
    direction = glm::normalize(direction);
    float reach = 1e-3f * tree_.size;
    for (const vec3& point : bone.skin)
      reach = std::max(reach, glm::dot(point - bone.joint, direction));
    return bone.joint + reach * direction;
  }

  const Model& model_;
  const Rig& rig_;
  std::vector<char> skinned_;
  std::vector<vec3> skinPositions_;
  std::vector<std::uint32_t> boneOfNode_; // kNoNode for a node without a bone
  std::vector<std::uint32_t> rootOfBone_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> skinOfRoot_; // vertices
  std::vector<Bounds> bounds_;                                     // bounds of the bones' skin
  BodyTree tree_;
};

} // namespace

BodyTree bodyTree(const Model& model, const Rig& rig) {
  return TreeBuilder(model, rig).build();
}

namespace {

// Fractions of the size. Bones nearer to the middle than the first belong to the trunk; mirror
// images agree to within the second.
constexpr float kOffMiddle = 0.025f;
constexpr float kMirrored = 0.04f;

bool hasMirrorImage(const BodyTree& tree, std::uint32_t bone, float middle) {
  const vec3& joint = tree.bones[bone].joint;
  if (std::abs(joint.x - middle) < kOffMiddle * tree.size) return false;
  const vec3 mirrored(2.0f * middle - joint.x, joint.y, joint.z);
  return std::any_of(tree.bones.begin(), tree.bones.end(), [&](const BodyBone& other) {
    return glm::length(other.joint - mirrored) < kMirrored * tree.size;
  });
}

float computeLength(const BodyBone& bone) {
  return glm::length(bone.tip - bone.joint);
}

// The limb that begins at `first`, down to its end.
std::vector<std::uint32_t> chainFrom(const BodyTree& tree, std::uint32_t first) {
  std::vector<std::uint32_t> chain{first};
  for (;;) {
    std::uint32_t next = kNoNode;
    for (std::uint32_t i = chain.back() + 1; i < tree.bones.size(); ++i) {
      if (tree.bones[i].parent != chain.back()) continue;
      // The longest of several children continues the limb.
      if (next == kNoNode || computeLength(tree.bones[i]) > computeLength(tree.bones[next]))
        next = i;
    }
    if (next == kNoNode) return chain;
    chain.push_back(next);
  }
}

// The part below the hinge, kNoNode for a limb of one part.
std::uint32_t findLowerLimb(const Model& model, const BodyTree& tree,
                            const std::vector<std::uint32_t>& chain) {
  for (std::size_t i = 1; i < chain.size(); ++i)
    if (namesLowerLimb(model.hierarchy.nodes[tree.bones[chain[i]].node].name)) return chain[i];
  std::uint32_t best = kNoNode;
  float longest = 0.0f;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const float shorter =
        std::min(computeLength(tree.bones[chain[i - 1]]), computeLength(tree.bones[chain[i]]));
    if (shorter <= longest) continue;
    longest = shorter;
    best = chain[i];
  }
  return best;
}

} // namespace

bool namesLowerLimb(std::string_view name) {
  const std::string word = normalizedJointName(name);
  constexpr std::array kWords = {"forearm", "lowerarm", "lowarm", "elbow", "lowerleg",
                                 "lowleg",  "calf",     "shin",   "knee"};
  if (word.find("twist") != std::string::npos || word.find("roll") != std::string::npos)
    return false;
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](const char* each) { return word.find(each) != std::string::npos; });
}

LimbParts limbParts(const Model& model, const BodyTree& tree) {
  const SidePartners partners = partnersByName(model.hierarchy);
  const float middle = tree.bones[0].joint.x;
  LimbParts parts;
  parts.sided.assign(tree.bones.size(), 0);
  parts.lower.assign(tree.bones.size(), 0);
  for (std::uint32_t i = 1; i < tree.bones.size(); ++i) {
    const bool bySide = partners.partner[tree.bones[i].node] != kNoNode;
    const bool below = parts.sided[tree.bones[i].parent] != 0;
    parts.sided[i] = bySide || below || hasMirrorImage(tree, i, middle) ? 1 : 0;
  }
  for (std::uint32_t i = 1; i < tree.bones.size(); ++i) {
    if (parts.sided[i] == 0 || parts.sided[tree.bones[i].parent] != 0) continue;
    const std::uint32_t lower = findLowerLimb(model, tree, chainFrom(tree, i));
    if (lower != kNoNode) parts.lower[lower] = 1;
  }
  return parts;
}

} // namespace sinew
