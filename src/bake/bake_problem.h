// What baking works on: the shapes of a deformation in a number of poses, and the bones that are to
// reproduce them by linear blending: the rig's joints, and helper joints.
//
// A vertex of the rig is a place together with all that are welded to it: one list of weights.
#pragma once

#include "app/workbench.h"
#include "bake/bake_poses.h"

#include <glm/mat4x3.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew {

inline constexpr std::uint32_t kNoHelper = ~0u;
inline constexpr std::uint32_t kBakeInfluences = 8; // most that a place may have

// A joint that is added. In its pose, model from joint space is
//   X = modelFromNode[parent] * toMatrix(local) * translate(-center),
// joint space being that of the joint which it helps: a vertex v of a skin follows it by
// X * jointFromBind(v).
struct BakeHelper {
  std::uint32_t node = 0;   // the joint that it helps
  std::uint32_t parent = 0; // its parent in the scene graph
  vec3 center{0.0f};        // joint space
  Transform bind; // local, in the bind pose; its scale is that of all poses of rigid helpers
};

// What a place can follow, an index into BakeProblem::bones: the rig's joints come first, in their
// order, then one for every helper and every joint of the rig at its node.
struct BakeBone {
  std::uint32_t joint = 0;
  std::uint32_t helper = kNoHelper;
};

// A corrective shape: what moves places before they are blended, times its weight in a pose.
struct BakeMorph {
  std::uint32_t node = 0;            // the joint whose skin it corrects
  std::vector<std::uint32_t> places; // ascending
  std::vector<vec3> offsets;         // bind space
};

struct PlaceWeights {
  std::uint32_t count = 0;
  std::array<std::uint32_t, kBakeInfluences> bones{};
  std::array<float, kBakeInfluences> weights{};
};

// Shapes in some poses.
struct BakeShapes {
  std::vector<Pose> poses;
  std::vector<std::string> names;
  std::vector<vec3> targets; // [place * poses + pose], model space
  // [place * poses + pose], bind space: the places as the model's morph targets and corrective
  // shapes move them. Empty: nothing moves them.
  std::vector<vec3> moved;
  std::vector<std::vector<mat4>> modelFromNode;        // [pose][node]
  std::vector<std::vector<glm::mat4x3>> modelFromBind; // [pose][bone]
  std::vector<std::vector<Transform>> helpers;         // [pose][helper], local
  std::vector<std::vector<float>> morphWeights;        // [pose][corrective shape]
  std::vector<float> emphasis; // [place * poses + pose] of the squared error; empty: all 1

  std::size_t count() const { return poses.size(); }
};

struct BakeProblem {
  const Workbench* workbench = nullptr;
  bool scale = false;                         // helpers may scale, by one factor in all directions
  std::uint32_t influences = kBakeInfluences; // limit per place in the result
  float size = 0.0f;                          // the target's in the rest pose, model space
  std::vector<std::uint32_t> placeByVertex;   // per vertex of the rig
  std::vector<std::vector<std::uint32_t>> verticesByPlace; // per place
  std::vector<vec3> positions;                             // per place, bind space
  std::vector<std::vector<std::uint32_t>> joints; // per place: of the rig, that it may follow
  std::vector<std::vector<std::uint32_t>> bentBy; // per place: those that bend it, the most first
  std::vector<PlaceWeights> original;             // per place, at most kBakeInfluences
  std::vector<BakeHelper> helpers;
  std::vector<BakeBone> bones;
  std::vector<PlaceWeights> weights; // per place
  std::vector<BakeMorph> morphs;     // corrective shapes
};

// The rig's places and joints, with the workbench's first method as the target. influences: the
// most a place may have, up to kBakeInfluences. The workbench has to outlive it.
BakeProblem bakeProblem(const Workbench& workbench, std::uint32_t influences);

// Per place the model's own weights, the largest of them, with sum 1: what an engine that takes no
// more makes of the model without a bake.
std::vector<PlaceWeights> largestWeights(const BakeProblem& problem, std::uint32_t limit);

// The target's shapes in these poses, with all helpers of the problem in the bind pose. moments:
// per pose, for a workbench whose skin follows velocities; empty: all stand still.
BakeShapes shapesIn(const BakeProblem& problem, std::vector<Pose> poses,
                    std::vector<std::string> names, std::span<const BakeMoment> moments = {});

// The same of one moment.
BakeShapes shapeAt(const BakeProblem& problem, const PoseView& pose);

// The position of a place before it is blended, bind space.
const vec3& placeInBind(const BakeProblem& problem, const BakeShapes& shapes, std::size_t pose,
                        std::size_t place);

// Adds a helper, at its bind transform in the poses of no shapes.
std::uint32_t addHelper(BakeProblem& problem, const BakeHelper& helper);

// Updates modelFromBind of a helper's bones from its local transform, in one pose.
void placeHelper(const BakeProblem& problem, BakeShapes& shapes, std::size_t pose,
                 std::uint32_t helper);

// The weights of all places as those of the model's meshes with a skin. nodeOfBone: a joint of the
// skin for every bone that is used.
void writeWeights(const BakeProblem& problem, std::span<const std::uint32_t> nodeOfBone,
                  Model& model);

// The position of a place by linear blending.
vec3 blendedPlace(const BakeProblem& problem, const BakeShapes& shapes, std::size_t pose,
                  std::size_t place);

} // namespace sinew
