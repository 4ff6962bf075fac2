#include "export/fbx/objects.h"
#include "model/scale_model.h"

#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

namespace sinew {
namespace {

// From Y up to Z up: (x, y, z) becomes (x, -z, y).
vec3 vectorToZUp(const vec3& v) {
  return {v.x, -v.z, v.y};
}
vec3 scaleToZUp(const vec3& s) {
  return {s.x, s.z, s.y};
}
quat rotationToZUp(const quat& q) {
  return {q.w, q.x, -q.z, q.y};
}
// From a space that is not changed.
quat rotationFromYUp(const quat& q) {
  return glm::angleAxis(glm::half_pi<float>(), vec3(1, 0, 0)) * q;
}
mat4 matrixToZUp(const mat4& m) {
  const auto moved = [](const vec4& v) { return vec4(vectorToZUp(vec3(v)), v.w); };
  return {moved(m[0]), -moved(m[2]), moved(m[1]), moved(m[3])};
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

void makeZUp(Mesh& mesh) {
  changeAll(mesh.positions, vectorToZUp);
  changeAll(mesh.normals, vectorToZUp);
  for (MorphOffsets& morph : mesh.morphs) {
    changeAll(morph.positions, vectorToZUp);
    changeAll(morph.normals, vectorToZUp);
  }
}

void makeZUp(Model& model) {
  for (Node& node : model.hierarchy.nodes) {
    node.rest = {vectorToZUp(node.rest.translation), rotationToZUp(node.rest.rotation),
                 scaleToZUp(node.rest.scale)};
    if (node.camera) node.camera->nodeFromCamera = rotationFromYUp(node.camera->nodeFromCamera);
    if (node.light) node.light->nodeFromLight = rotationFromYUp(node.light->nodeFromLight);
  }
  for (Clip& clip : model.clips)
    for (Channel& channel : clip.channels) {
      changeTrack(channel.translation, vectorToZUp);
      changeTrack(channel.rotation, rotationToZUp);
      changeTrack(channel.scale, scaleToZUp);
    }
  for (Skin& skin : model.skins)
    for (SkinJoint& joint : skin.joints)
      joint.jointFromBind = matrixToZUp(joint.jointFromBind);
  for (Mesh& mesh : model.meshes)
    makeZUp(mesh);
}

} // namespace

Model modelInFbxSpace(Model model, FbxUp up) {
  constexpr float kCentimetres = 100.0f; // per metre
  if (model.metersPerUnit) scaleModel(model, kCentimetres * *model.metersPerUnit);
  if (up == FbxUp::z) makeZUp(model);
  return model;
}

} // namespace sinew
