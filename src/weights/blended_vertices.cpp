#include "weights/blended_vertices.h"

#include "rig/morph.h"

#include <glm/mat4x4.hpp>

namespace sinew {

std::vector<glm::dvec3> blendedVertices(const Rig& rig, const Model& model, const Pose& pose) {
  const std::vector<mat4> modelFromNode = modelFromNodes(model.hierarchy, pose);
  std::vector<glm::dmat4> modelFromBind;
  modelFromBind.reserve(rig.joints.size());
  for (const RigJoint& joint : rig.joints)
    modelFromBind.push_back(glm::dmat4(modelFromNode[joint.node]) *
                            glm::dmat4(joint.jointFromBind));
  MorphedVertices morphed;
  if (!rig.morphs.empty()) applyMorphs(rig, getMorphWeights(model, pose), morphed);
  const std::vector<vec3>& positions = morphed.moved() ? morphed.positions : rig.positions;
  std::vector<glm::dvec3> out;
  out.reserve(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    glm::dvec4 sum(0.0);
    for (const Influence& each : rig.influences.of(v))
      sum += static_cast<double>(each.weight) *
             (modelFromBind[each.joint] * glm::dvec4(glm::dvec3(positions[v]), 1.0));
    out.push_back(glm::dvec3(sum) / sum.w);
  }
  return out;
}

} // namespace sinew
