#include "export/fbx/objects.h"
#include "model/scale_model.h"

#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

namespace sinew {
namespace {

// From Y up to Z up: (x, y, z) becomes (x, -z, y).
vec3 turnVector(const vec3& v) {
  return {v.x, -v.z, v.y};
}
vec3 turnScale(const vec3& s) {
  return {s.x, s.z, s.y};
}
quat turnRotation(const quat& q) {
  return {q.w, q.x, -q.z, q.y};
}
// From a space that is not changed.
quat turnRotationFrom(const quat& q) {
  return glm::angleAxis(glm::half_pi<float>(), vec3(1, 0, 0)) * q;
}
mat4 turnMatrix(const mat4& m) {
  const auto turned = [](const vec4& v) { return vec4(turnVector(vec3(v)), v.w); };
  return {turned(m[0]), -turned(m[2]), turned(m[1]), turned(m[3])};
}

template <class T, class Change>
void changeAll(std::vector<T>& values, const Change& change) {
  for (T& value : values)
    value = change(value);
}

template <class T, class Change>
void changeTrack(Track<T>& track, const Change& change) {
  changeAll(track.values, change);
  for (std::array<T, 2>& pair : track.tangents)
    for (T& tangent : pair)
      tangent = change(tangent);
}

void turnZUp(Mesh& mesh) {
  changeAll(mesh.positions, turnVector);
  changeAll(mesh.normals, turnVector);
  for (MorphOffsets& morph : mesh.morphs) {
    changeAll(morph.positions, turnVector);
    changeAll(morph.normals, turnVector);
  }
}

void turnZUp(Model& model) {
  for (Node& node : model.hierarchy.nodes) {
    node.rest = {turnVector(node.rest.translation), turnRotation(node.rest.rotation),
                 turnScale(node.rest.scale)};
    if (node.camera) node.camera->nodeFromCamera = turnRotationFrom(node.camera->nodeFromCamera);
    if (node.light) node.light->nodeFromLight = turnRotationFrom(node.light->nodeFromLight);
  }
  for (Clip& clip : model.clips)
    for (Channel& channel : clip.channels) {
      changeTrack(channel.translation, turnVector);
      changeTrack(channel.rotation, turnRotation);
      changeTrack(channel.scale, turnScale);
    }
  for (Skin& skin : model.skins)
    for (SkinJoint& joint : skin.joints)
      joint.jointFromBind = turnMatrix(joint.jointFromBind);
  for (Mesh& mesh : model.meshes)
    turnZUp(mesh);
}

} // namespace

Model modelInFbxSpace(Model model, FbxUp up) {
  constexpr float kCentimetres = 100.0f; // per metre
  if (model.metersPerUnit) scaleModel(model, kCentimetres * *model.metersPerUnit);
  if (up == FbxUp::z) turnZUp(model);
  return model;
}

} // namespace sinew
