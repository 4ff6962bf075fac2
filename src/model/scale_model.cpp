#include "model/scale_model.h"

#include <array>

namespace sinew {

void scaleModel(Model& model, float factor) {
  const auto scaleAll = [&](std::vector<vec3>& points) {
    for (vec3& point : points)
      point *= factor;
  };
  for (Node& node : model.hierarchy.nodes) {
    node.rest.translation *= factor;
    if (node.camera) {
      node.camera->height *= factor;
      node.camera->nearPlane *= factor;
      if (node.camera->farPlane) *node.camera->farPlane *= factor;
    }
    if (node.light && node.light->range) *node.light->range *= factor;
  }
  for (Clip& clip : model.clips)
    for (Channel& channel : clip.channels) {
      scaleAll(channel.translation.values);
      for (std::array<vec3, 2>& tangents : channel.translation.tangents)
        for (vec3& tangent : tangents)
          tangent *= factor;
    }
  for (Skin& skin : model.skins)
    for (SkinJoint& joint : skin.joints)
      joint.jointFromBind[3] = vec4(factor * vec3(joint.jointFromBind[3]), 1.0f);
  for (FreeSpline& spline : model.splines)
    for (vec3& point : spline.points)
      point *= factor;
  for (Mesh& mesh : model.meshes) {
    scaleAll(mesh.positions);
    for (MorphOffsets& morph : mesh.morphs)
      scaleAll(morph.positions);
  }
}

} // namespace sinew
