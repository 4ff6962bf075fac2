// What the figures on weights bind: meshes with skeletons made for them, and how their weights are
// drawn and summed.
#pragma once

#include "figures/scene.h"
#include "weights/automatic_weights.h"
#include "weights/bind_model.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// A mesh and the bones to bind it to, each with a joint of its own.
struct WeightSubject {
  std::string name;
  Model meshes; // as meshesAlone() makes them
  JoinedMeshes joined;
  Skeleton skeleton;
};

WeightSubject makeSubject(std::string name, Model model, Skeleton skeleton);

// Bone by bone, parents first; a bone need not begin where its parent ends, as in the paper's
// figures, where the arm's begins in the shoulder and the back's ends at the neck.
struct BoneSpec {
  std::string_view name;
  std::string_view parent; // empty for the root
  BoneSegment bone;
};
Skeleton makeBones(std::span<const BoneSpec> bones);

// demo:humanoid with bones as the paper's human has them: back, arms and legs, no collar bones.
WeightSubject humanSubject();

// A penguin: an egg with a head, a beak, two flippers and two feet.
WeightSubject penguinSubject();

std::uint32_t boneNamed(const WeightSubject& subject, std::string_view name);

AutomaticWeights bind(const WeightSubject& subject, const WeightOptions& options);

// The weight of a joint at every vertex.
std::vector<float> weightsOfJoint(const Influences& influences, std::uint32_t joint);

// Blue to red as in the paper, at rest, with the bone drawn through the mesh.
Image shootWeights(const WeightSubject& subject, const Influences& influences, std::uint32_t bone,
                   Shot shot);

// By linear blending; turns are about the joints' own places, in model space.
struct Turn {
  std::string_view bone;
  quat rotation{1, 0, 0, 0};
};
Image shootPosed(const WeightSubject& subject, const Influences& influences,
                 std::span<const Turn> turns, Shot shot);

// Over the surface where `counts`: the joint's mean weight there, and how much of all of the
// joint's weight lies there. By area.
struct WeightShare {
  double mean = 0.0;
  double ofJoint = 0.0;
};
WeightShare shareWhere(const WeightSubject& subject, const Influences& influences,
                       std::uint32_t joint, const std::function<bool(std::size_t)>& counts);

} // namespace sinew
