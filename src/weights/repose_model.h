// A pose as the new bind pose: mesh, normals, inverse bind matrices, morph targets and clips follow
// it.
//
// Skin of one joint then looks as before in every pose. Where several joints share it, linear
// blending from the new bind pose with the same weights is another deformation than before: a
// vertex v is posed to v' = sum w(j) M(j) v, and no inverse bind matrix B'(j) takes v' to what all
// those joints j moved so far, B(j) v. Weights solved again (bake/refit_weights.h) come nearest.
// With offset joints it is exact: a joint that shares skin gets, as children that never move, two
// to four of them: copies of it displaced by d(i), with the joint's own B'. The weights l(i) that
// B(j) v has in the corners B'(j) v' + d(i) split w(j), and then
//   sum w(j) l(i) F(j) (B'(j) v' + d(i)) = sum w(j) F(j) B(j) v
// in every pose F: exact, whatever plays.
#pragma once

#include "animation/pose.h"

#include <cstddef>
#include <cstdint>

namespace sinew {

struct ReposedModel {
  Model model;
  std::size_t offsetJoints = 0;
  std::uint32_t influences = 0; // the most that a vertex has
};

// pose: of the model. offsetJoints: false leaves joints and weights as they are. The pose is the
// result's rest pose and bind pose; its morph weights are the result's rest weights. Throws
// usageError for a pose that flattens a joint, and a model with free splines.
ReposedModel reposeModel(const Model& model, const Pose& pose, bool offsetJoints);

} // namespace sinew
