// The subjects of the figures on weights: meshes with skeletons, and functions to draw and sum
// their weights.
#pragma once

#include "tools/figures/scene.h"
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
  Model meshes; // by meshesAlone()
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

// demo:humanoid with the bones of the paper's human: back, arms and legs, no collar bones.
WeightSubject humanSubject();

// The penguin of the figures: an egg with a head, a beak, two flippers and two feet.
WeightSubject penguinSubject();

std::uint32_t boneNamed(const WeightSubject& subject, std::string_view name);

// The paper prunes nothing: every weight is kept. What sinew does otherwise is the default of
// WeightOptions: the four largest, faded.
WeightOptions asPublished(WeightOptions options);

AutomaticWeights bind(const WeightSubject& subject, WeightOptions options); // on the mesh itself

// Blue to red as in the paper, at rest, with the bone drawn through the mesh.
Image shootWeights(const WeightSubject& subject, const Influences& influences, std::uint32_t bone,
                   Shot shot);

// A rotation about a joint's origin, in model space. The picture blends up to twelve weights a
// vertex.
struct BoneRotation {
  std::string_view bone;
  quat rotation{1, 0, 0, 0};
};
Image shootPosed(const WeightSubject& subject, const Influences& influences,
                 std::span<const BoneRotation> rotations, Shot shot,
                 const std::string& method = "lbs");

// The joint's mean weight over the part of the surface where `counts`, and the fraction of the
// joint's total weight that lies there. Both are by area.
struct WeightShare {
  double mean = 0.0;
  double ofJoint = 0.0;
};
WeightShare shareWhere(const WeightSubject& subject, const Influences& influences,
                       std::uint32_t joint, const std::function<bool(std::size_t)>& counts);

} // namespace sinew
