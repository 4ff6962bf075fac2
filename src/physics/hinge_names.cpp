#include "physics/hinge_names.h"

#include "animation/retarget/joint_names.h"
#include "animation/side_names.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace sinew {
namespace {

// Bones nearer to the middle than this (of the size) belong to the trunk; mirror images agree to
// within the second.
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
      // Of several the one that goes furthest.
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
