#include "weights/skin_joints.h"

#include "weights/bind_model.h"

#include <glm/matrix.hpp>

namespace sinew {

SkinJoints::SkinJoints(const std::vector<mat4>& modelFromBound, Skin& skin)
    : modelFromBound_(modelFromBound), skin_(skin) {
  for (std::uint32_t j = 0; j < skin.joints.size(); ++j)
    jointOfNode_.emplace(skin.joints[j].node, j);
}

std::uint32_t SkinJoints::of(std::uint32_t node) {
  const auto next = static_cast<std::uint32_t>(skin_.joints.size());
  const auto [entry, isNew] = jointOfNode_.try_emplace(node, next);
  if (isNew) skin_.joints.push_back({node, glm::inverse(modelFromBound_[node])});
  return entry->second;
}

GrowingSkins::GrowingSkins(Model& model, const std::vector<mat4>& modelFromBound)
    : model_(model), modelFromBound_(modelFromBound),
      ofRigid_(static_cast<std::uint32_t>(model.skins.size())) {
  model.skins.emplace_back();
  joints_.reserve(model.skins.size());
  for (Skin& skin : model.skins)
    joints_.emplace_back(modelFromBound, skin);
}

void GrowingSkins::bindRigid(Mesh& mesh) {
  moveToModelSpace(mesh, modelFromBound_[mesh.node]);
  const std::vector<Influence> own{{joints_[ofRigid_].of(mesh.node), 1.0f}};
  mesh.skin = ofRigid_;
  mesh.influences = {};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    mesh.influences.append(own);
}

void GrowingSkins::dropUnused() {
  if (model_.skins.back().joints.empty()) model_.skins.pop_back();
}

} // namespace sinew
