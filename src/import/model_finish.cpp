#include "import/model_finish.h"

#include "core/text.h"
#include "import/append_node.h"
#include "import/clip_repairs.h"
#include "import/repairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

bool usable(float value) {
  return isUsable(value);
}
template <glm::length_t N>
bool usable(const glm::vec<N, float>& v) {
  for (glm::length_t i = 0; i < N; ++i)
    if (!isUsable(v[i])) return false;
  return true;
}
bool usable(const quat& q) {
  return isUsable(q);
}
bool usable(const mat4& m) {
  return isUsable(m);
}
bool usable(const Transform& t) {
  return isUsable(t.translation) && isUsable(t.rotation) && isUsable(t.scale);
}

class NumberRepair {
 public:
  template <class T>
  void one(T& value, const T& neutral = T()) {
    if (usable(value)) return;
    value = neutral;
    ++count_;
  }
  template <class T>
  void all(std::vector<T>& values, const T& neutral = T()) {
    for (T& value : values)
      one(value, neutral);
  }

  template <class T>
  void keys(Track<T>& track) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < track.times.size(); ++i) {
      bool good = usable(track.times[i]) && usable(track.values[i]);
      if (i < track.tangents.size())
        good = good && usable(track.tangents[i][0]) && usable(track.tangents[i][1]);
      if (!good) continue;
      track.times[next] = track.times[i];
      track.values[next] = track.values[i];
      if (i < track.tangents.size()) track.tangents[next] = track.tangents[i];
      ++next;
    }
    count_ += track.times.size() - next;
    track.times.resize(next);
    track.values.resize(next);
    track.tangents.resize(std::min(track.tangents.size(), next));
  }

  void mesh(Mesh& mesh) {
    all(mesh.positions);
    all(mesh.normals, vec3(0.0f, 1.0f, 0.0f));
    all(mesh.tangents);
    all(mesh.texcoords);
    all(mesh.texcoords1);
    all(mesh.colors, vec4(1.0f));
    for (Influences* influences : {&mesh.influences, &mesh.splineInfluences})
      for (Influence& influence : influences->values)
        one(influence.weight);
    for (MorphOffsets& morph : mesh.morphs) {
      all(morph.positions);
      all(morph.normals);
    }
  }

  std::size_t count() const { return count_; }

 private:
  std::size_t count_ = 0;
};

// Whether the name had to change.
bool makePrintable(std::string& name) {
  std::string clean = printable(name);
  if (clean == name) return false;
  name = std::move(clean);
  return true;
}

template <class Named>
bool makePrintable(std::vector<Named>& all) {
  bool changed = false;
  for (Named& each : all)
    changed = makePrintable(each.name) || changed;
  return changed;
}

} // namespace

void repairNumbers(Model& model) {
  NumberRepair repair;
  for (Node& node : model.hierarchy.nodes)
    repair.one(node.rest);
  for (Skin& skin : model.skins)
    for (SkinJoint& joint : skin.joints)
      repair.one(joint.jointFromBind, mat4(1.0f));
  for (FreeSpline& spline : model.splines)
    for (vec3& point : spline.points)
      repair.one(point);
  for (MorphTarget& target : model.morphTargets)
    repair.one(target.weight);
  for (Mesh& mesh : model.meshes)
    repair.mesh(mesh);
  for (Material& material : model.materials) {
    const Material neutral;
    repair.one(material.baseColor, neutral.baseColor);
    repair.one(material.normalScale, neutral.normalScale);
    repair.one(material.metallic, neutral.metallic);
    repair.one(material.roughness, neutral.roughness);
    repair.one(material.occlusionStrength, neutral.occlusionStrength);
    for (int i = 0; i < 3; ++i)
      repair.one(material.emissive[i], neutral.emissive[i]);
    repair.one(material.shininess, neutral.shininess);
    repair.one(material.specular, neutral.specular);
    repair.one(material.alphaCutoff, neutral.alphaCutoff);
  }
  for (Clip& clip : model.clips) {
    repair.one(clip.seconds);
    for (Channel& channel : clip.channels) {
      repair.keys(channel.translation);
      repair.keys(channel.rotation);
      repair.keys(channel.scale);
    }
    for (MorphChannel& channel : clip.morphs)
      repair.keys(channel.weight);
    for (TwistChannel& channel : clip.twists)
      repair.keys(channel.twist);
  }
  if (model.metersPerUnit && !(isUsable(*model.metersPerUnit) && *model.metersPerUnit > 0.0f))
    model.metersPerUnit.reset();
  if (repair.count() > 0)
    model.repairs.push_back(fmt::format("{} value{} not finite or too large: replaced",
                                        repair.count(), repair.count() == 1 ? " was" : "s were"));
}

void makeNamesPrintable(Model& model) {
  if (makePrintable(model.hierarchy.nodes)) makeNamesUnique(model.hierarchy);
  if (makePrintable(model.clips)) nameClips(model.clips);
  makePrintable(model.splines);
  makePrintable(model.morphTargets);
  makePrintable(model.meshes);
  makePrintable(model.materials);
  for (Texture& texture : model.textures)
    makePrintable(texture.path);
  for (std::string& line : model.repairs)
    makePrintable(line);
  for (std::string& line : model.warnings)
    makePrintable(line);
}

} // namespace sinew
