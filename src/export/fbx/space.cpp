#include "export/fbx/objects.h"

#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

namespace sinew {
namespace {

constexpr float kCentimetres = 100.0f; // per metre

class SpaceChange {
 public:
  SpaceChange(FbxUp up, float unit) : zUp_(up == FbxUp::z), unit_(unit) {}

  bool changes() const { return zUp_ || unit_ != 1.0f; }

  // (x, y, z) becomes (x, -z, y).
  vec3 direction(const vec3& v) const { return zUp_ ? vec3(v.x, -v.z, v.y) : v; }
  vec3 point(const vec3& p) const { return unit_ * direction(p); }
  vec3 scale(const vec3& s) const { return zUp_ ? vec3(s.x, s.z, s.y) : s; }
  // From a space that is not changed.
  quat rotationFrom(const quat& q) const {
    return zUp_ ? glm::angleAxis(glm::half_pi<float>(), vec3(1, 0, 0)) * q : q;
  }
  float length(float value) const { return unit_ * value; }
  quat rotation(const quat& q) const { return zUp_ ? quat(q.w, q.x, -q.z, q.y) : q; }
  mat4 matrix(const mat4& m) const {
    const auto turned = [&](const vec4& v) { return vec4(direction(vec3(v)), v.w); };
    const mat4 rows(turned(m[0]), turned(m[1]), turned(m[2]), turned(m[3]));
    mat4 out = zUp_ ? mat4(rows[0], -rows[2], rows[1], rows[3]) : rows;
    out[3] = vec4(unit_ * vec3(out[3]), out[3].w);
    return out;
  }

 private:
  bool zUp_;
  float unit_;
};

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

void changeCamera(const SpaceChange& to, SceneCamera& camera) {
  camera.height = to.length(camera.height);
  camera.nearPlane = to.length(camera.nearPlane);
  if (camera.farPlane) camera.farPlane = to.length(*camera.farPlane);
  camera.nodeFromCamera = to.rotationFrom(camera.nodeFromCamera);
}

void changeLight(const SpaceChange& to, SceneLight& light) {
  if (light.range) light.range = to.length(*light.range);
  light.nodeFromLight = to.rotationFrom(light.nodeFromLight);
}

void changeMesh(const SpaceChange& to, Mesh& mesh) {
  const auto point = [&](const vec3& p) { return to.point(p); };
  const auto direction = [&](const vec3& d) { return to.direction(d); };
  changeAll(mesh.positions, point);
  changeAll(mesh.normals, direction);
  for (MorphOffsets& morph : mesh.morphs) {
    changeAll(morph.positions, point);
    changeAll(morph.normals, direction);
  }
}

} // namespace

Model modelInFbxSpace(Model model, FbxUp up) {
  const SpaceChange to(up, model.metersPerUnit ? kCentimetres * *model.metersPerUnit : 1.0f);
  if (!to.changes()) return model;
  const auto point = [&](const vec3& p) { return to.point(p); };
  const auto rotation = [&](const quat& q) { return to.rotation(q); };
  const auto scale = [&](const vec3& s) { return to.scale(s); };
  for (Node& node : model.hierarchy.nodes) {
    node.rest = {point(node.rest.translation), rotation(node.rest.rotation),
                 scale(node.rest.scale)};
    if (node.camera) changeCamera(to, *node.camera);
    if (node.light) changeLight(to, *node.light);
  }
  for (Clip& clip : model.clips)
    for (Channel& channel : clip.channels) {
      changeTrack(channel.translation, point);
      changeTrack(channel.rotation, rotation);
      changeTrack(channel.scale, scale);
    }
  for (Skin& skin : model.skins)
    for (SkinJoint& joint : skin.joints)
      joint.jointFromBind = to.matrix(joint.jointFromBind);
  for (Mesh& mesh : model.meshes)
    changeMesh(to, mesh);
  return model;
}

} // namespace sinew
