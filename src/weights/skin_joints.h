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

// The joints of all skins of a model, and of one more for meshes that have none yet.
class GrowingSkins {
 public:
  GrowingSkins(Model& model, const std::vector<mat4>& modelFromBound); // both outlive this

  SkinJoints& of(std::uint32_t skin) { return joints_[skin]; }
  // Makes a rigid mesh skinned in the bind pose, at first entirely by its own node.
  void bindRigid(Mesh& mesh);
  // Removes the one more if no mesh has it: no mesh can get it afterwards.
  void dropUnused();

 private:
  Model& model_;
  const std::vector<mat4>& modelFromBound_;
  std::uint32_t ofRigid_ = 0;
  std::vector<SkinJoints> joints_;
};

} // namespace sinew
