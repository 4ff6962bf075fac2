// Joints that a skin gains after it was read: by a file of weights, or by free splines.
#pragma once

#include "model/model.h"

#include <map>
#include <vector>

namespace sinew {

// The joints of one skin by node; missing ones are added in the bind pose.
class SkinJoints {
 public:
  // modelFromBound: of the bind pose, per node. Both outlive this.
  SkinJoints(const std::vector<mat4>& modelFromBound, Skin& skin);

  std::uint32_t of(std::uint32_t node);

 private:
  const std::vector<mat4>& modelFromBound_;
  Skin& skin_;
  std::map<std::uint32_t, std::uint32_t> jointOfNode_;
};

// Makes a rigid mesh skinned in the bind pose, at first entirely by its own node. joints: of the
// skin with that index.
void bindRigid(Mesh& mesh, std::uint32_t skin, const std::vector<mat4>& modelFromBound,
               SkinJoints& joints);

} // namespace sinew
