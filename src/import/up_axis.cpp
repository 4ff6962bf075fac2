#include "import/up_axis.h"

#include "animation/sample.h"
#include "core/bounds.h"
#include "model/model.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <string>

namespace sinew {
namespace {

enum class Axis { none, y, z };

bool namesAny(std::string name, std::initializer_list<const char*> words) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return name.find(word) != std::string::npos; });
}

// Sums places of what is up and what is down in a body.
class Stature {
 public:
  void add(const std::string& name, const vec3& place) {
    if (namesAny(name, {"head", "neck"}))
      top_ += vec4(place, 1.0f);
    else if (namesAny(name, {"foot", "feet", "toe", "ankle"}))
      bottom_ += vec4(place, 1.0f);
  }
  Axis axis() const {
    if (top_.w == 0.0f || bottom_.w == 0.0f) return Axis::none;
    const vec3 up = vec3(top_) / top_.w - vec3(bottom_) / bottom_.w;
    const float clearly = 0.8f * glm::length(up); // within 37 degrees
    if (up.z > clearly) return Axis::z;
    return up.y > clearly ? Axis::y : Axis::none;
  }

 private:
  vec4 top_{0.0f}; // the sum of places, and their count
  vec4 bottom_{0.0f};
};

Axis axisOfSkins(const Model& model) {
  Stature stature;
  for (const Skin& skin : model.skins)
    for (const SkinJoint& joint : skin.joints)
      stature.add(model.hierarchy.nodes[joint.node].name,
                  vec3(glm::inverse(joint.jointFromBind)[3]));
  return stature.axis();
}

// For models whose names do not tell the axis: the one axis on whose floor the skin stands in the
// bind pose, if the skin also lies about the middle of the other axis.
Axis axisOfFloor(const Model& model) {
  constexpr float kOnFloor = 0.03f; // fraction of the box's side
  constexpr float kMiddle = 0.35f;
  Bounds box;
  for (const Mesh& mesh : model.meshes)
    if (mesh.skin)
      for (const vec3& p : mesh.positions)
        box.include(p);
  if (box.empty()) return Axis::none;
  const auto stands = [&](int axis) {
    return std::abs(box.min[axis]) <= kOnFloor * box.extent()[axis] && box.extent()[axis] > 0.0f;
  };
  const auto about = [&](int axis) {
    return std::abs(box.center()[axis]) <= kMiddle * box.extent()[axis];
  };
  if (stands(2) && !stands(1) && about(1)) return Axis::z;
  return stands(1) && !stands(2) && about(2) ? Axis::y : Axis::none;
}

Axis axisOfPose(const Model& model, const Pose& pose) {
  const std::vector<mat4> places = modelFromNodes(model.hierarchy, pose);
  Stature stature;
  for (std::size_t i = 0; i < places.size(); ++i)
    stature.add(model.hierarchy.nodes[i].name, vec3(places[i][3]));
  return stature.axis();
}

// Someone may crawl or lie for a while, so most of the times decide.
Axis axisOfClips(const Model& model) {
  std::array<int, 3> votes{};
  for (const Clip& clip : model.clips)
    for (const float part : {0.0f, 0.25f, 0.5f, 0.75f})
      ++votes[static_cast<std::size_t>(
          axisOfPose(model, sample(model.hierarchy, clip, part * clip.seconds)))];
  const auto winner = std::max_element(votes.begin(), votes.end());
  return static_cast<Axis>(winner - votes.begin());
}

// Whether the importer knows the axes of such files, by the file or by the format's rules.
bool statesAxes(SourceKind kind) {
  return kind == SourceKind::gltf || kind == SourceKind::fbx || kind == SourceKind::collada ||
         kind == SourceKind::smd || kind == SourceKind::md5;
}

} // namespace

bool standsAlongZ(const Model& model) {
  if (!model.skins.empty()) {
    const Axis named = axisOfSkins(model);
    return (named != Axis::none ? named : axisOfFloor(model)) == Axis::z;
  }
  if (!model.clips.empty()) return axisOfClips(model) == Axis::z;
  return axisOfPose(model, restPose(model.hierarchy)) == Axis::z;
}

void rotateUpright(SourceKind kind, UpAxis up, Model& model) {
  if (up == UpAxis::y) return;
  if (up == UpAxis::automatic) {
    if (statesAxes(kind) || !standsAlongZ(model)) return;
    model.warnings.emplace_back(
        "stands along Z, and the format does not say which way is up: turned to Y up "
        "(--up y keeps the file's axes)");
  }
  rotateModel(model, glm::angleAxis(-glm::half_pi<float>(), vec3(1, 0, 0)));
}

} // namespace sinew
