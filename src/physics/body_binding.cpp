#include "physics/body_binding.h"

#include "core/error.h"

#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

namespace sinew {

std::vector<BodyBinding> bindBodies(const Model& model, std::span<const RagdollBody> bodies) {
  const std::vector<mat4> modelFromNode = modelFromNodes(model.hierarchy, bindPose(model));
  std::vector<BodyBinding> bindings;
  for (const RagdollBody& body : bodies) {
    const auto node = findNode(model.hierarchy, body.bone);
    if (!node) throw inputError(model.path, "the model has no bone '" + body.bone + "'");
    bindings.push_back({*node,
                        {glm::dvec3(body.center), glm::normalize(glm::dquat(body.rotation))},
                        glm::inverse(modelFromNode[*node])});
  }
  return bindings;
}

RigidTransform bodyTransform(const BodyBinding& binding, std::span<const mat4> modelFromNode) {
  const mat4 modelFromBind = modelFromNode[binding.node] * binding.bindFromNode;
  const glm::dquat rotation = glm::normalize(glm::dquat(decompose(modelFromBind).rotation));
  return {glm::dvec3(transformPoint(modelFromBind, vec3(binding.bind.position))),
          glm::normalize(rotation * binding.bind.rotation)};
}

} // namespace sinew
