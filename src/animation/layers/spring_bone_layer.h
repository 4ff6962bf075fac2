// Spring bones (spring_bone.h) as a layer, and the springs of a model's file as layers.
//
// A joint and a collider are a line each, in model units:
//
//   JOINT -> TAIL STIFFNESS DRAG GX GY GZ RADIUS
//   JOINT end LENGTH STIFFNESS DRAG GX GY GZ RADIUS
//   JOINT sphere X Y Z RADIUS            (or inside-sphere)
//   JOINT capsule X Y Z RADIUS EX EY EZ  (or inside-capsule)
//   JOINT plane X Y Z NX NY NZ
#pragma once

#include "animation/layers/layer_kind.h"
#include "animation/layers/spring_bone.h"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct SpringBoneLayer {
  static constexpr std::string_view kKind = "spring-bone";
  static constexpr std::string_view kHelp =
      "joints of hair and clothes swing, and colliders keep them out, as in VRM";
  struct State;

  std::vector<std::string> joints;
  std::vector<std::string> colliders;
  std::string center;     // empty: none
  float stiffness = 1.0f; // factors of those of the joints
  float drag = 1.0f;
  float gravity = 1.0f;

  bool operator==(const SpringBoneLayer&) const = default;
};
struct SpringBoneLayer::State {
  std::optional<SpringBoneLayer> made;
  SpringBoneSet set;
  SpringBoneState tails;
};

template <LayerOf<SpringBoneLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(Info{"stiffness", "factor of the joints' stiffness", 0, 100}, layer.stiffness);
  visit(Info{"drag", "factor of the joints' drag", 0, 100}, layer.drag);
  visit(Info{"gravity", "factor of the joints' gravity", 0, 100}, layer.gravity);
  visit(Info{"center", "the node whose motion does not swing the joints; empty: none"},
        layer.center);
  visit(Info{"joints", "a line each: JOINT -> TAIL STIFFNESS DRAG GX GY GZ RADIUS"}, layer.joints);
  visit(Info{"colliders", "a line each: JOINT sphere X Y Z RADIUS, "
                          "JOINT capsule X Y Z RADIUS EX EY EZ or JOINT plane X Y Z NX NY NZ"},
        layer.colliders);
}

void apply(const SpringBoneLayer& layer, SpringBoneLayer::State& state, const LayerInput& input,
           Pose& out);
std::string findProblem(const Model& model, const SpringBoneLayer& layer);

std::string toString(const SpringJoint& joint);
std::string toString(const SpringCollider& collider);

// The springs of the model's file, each as one layer, those first on which others hang. Springs
// whose joints the model does not have any more are left out. `tooMany`: beyond what is simulated
// in every frame; there are no layers.
struct OwnSprings {
  std::vector<std::string> names;
  std::vector<SpringBoneLayer> layers; // one per name
  std::size_t leftOut = 0;
  bool tooMany = false;
};
OwnSprings ownSprings(const Model& model);

} // namespace sinew
