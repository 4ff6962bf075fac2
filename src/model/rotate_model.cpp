#include "model/rotate_model.h"

#include <glm/gtc/quaternion.hpp>

namespace sinew {
namespace {

void rotateAll(std::vector<vec3>& vectors, const quat& rotation) {
  for (vec3& v : vectors)
    v = rotation * v;
}

template <class T>
void rotateTrack(Track<T>& track, const quat& rotation) {
  for (T& value : track.values)
    value = rotation * value;
  for (std::array<T, 2>& pair : track.tangents)
    for (T& tangent : pair)
      tangent = rotation * tangent;
}

// A skinned mesh lives in bind space; a rigid one in the space of its node, which moves with it.
void rotateSkinned(Mesh& mesh, const quat& rotation) {
  if (!mesh.skin) return;
  rotateAll(mesh.positions, rotation);
  rotateAll(mesh.normals, rotation);
  for (vec4& tangent : mesh.tangents)
    tangent = vec4(rotation * vec3(tangent), tangent.w);
  for (MorphOffsets& morph : mesh.morphs) {
    rotateAll(morph.positions, rotation);
    rotateAll(morph.normals, rotation);
  }
}

} // namespace

void rotateModel(Model& model, const quat& rotation) {
  for (Node& node : model.hierarchy.nodes) {
    if (node.parent != kNoNode) continue;
    node.rest.translation = rotation * node.rest.translation;
    node.rest.rotation = rotation * node.rest.rotation;
  }
  for (Clip& clip : model.clips)
    for (Channel& channel : clip.channels) {
      if (model.hierarchy.nodes[channel.node].parent != kNoNode) continue;
      rotateTrack(channel.translation, rotation);
      rotateTrack(channel.rotation, rotation);
    }
  const mat4 back = glm::mat4_cast(glm::inverse(rotation));
  for (Skin& skin : model.skins)
    for (SkinJoint& joint : skin.joints)
      joint.jointFromBind = joint.jointFromBind * back;
  for (FreeSpline& spline : model.splines)
    for (vec3& point : spline.points)
      point = rotation * point;
  for (Mesh& mesh : model.meshes)
    rotateSkinned(mesh, rotation);
}

} // namespace sinew
