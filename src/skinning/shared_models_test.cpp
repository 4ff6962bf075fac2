// The joint-based methods on characters made by others, against linear blending: every clip, and
// the distances that bound what a user may see.
#include "animation/sample.h"
#include "import/import_model.h"
#include "skinning/joint_test_support.h"

#include <doctest/doctest.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

using namespace sinew;
using test::skinned;

namespace {

// The character, or nothing where the models are not beside the checkout.
std::optional<Model> sharedModel(const std::string& file) {
  const std::filesystem::path path =
      std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/models" / file;
  if (!std::filesystem::exists(path)) {
    MESSAGE("skipped: no " << file);
    return std::nullopt;
  }
  ImportOptions options;
  options.decodeTextures = false;
  return importModel(path, options);
}

struct Distance {
  double sum = 0.0;
  double largest = 0.0; // of the model's size, as the mean
  std::size_t vertices = 0;
  std::size_t turned = 0; // triangles facing away from where linear blending turns them
  std::size_t triangles = 0;
  bool finite = true;

  double mean() const { return sum / static_cast<double>(vertices); }
  double turnedShare() const {
    return static_cast<double>(turned) / static_cast<double>(triangles);
  }
};

vec3 areaNormal(const SkinnedMesh& mesh, const Triangle& t) {
  return glm::cross(mesh.positions[t[1]] - mesh.positions[t[0]],
                    mesh.positions[t[2]] - mesh.positions[t[0]]);
}

void measure(const Rig& rig, const SkinnedMesh& mesh, const SkinnedMesh& linear, float size,
             Distance& out) {
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const vec3 apart = mesh.positions[v] - linear.positions[v];
    const vec3& n = mesh.normals[v];
    out.finite = out.finite && std::isfinite(apart.x + apart.y + apart.z + n.x + n.y + n.z);
    const double distance = static_cast<double>(glm::length(apart) / size);
    out.sum += distance;
    out.largest = std::max(out.largest, distance);
  }
  out.vertices += mesh.positions.size();
  for (const Triangle& t : rig.triangles)
    if (glm::dot(areaNormal(mesh, t), areaNormal(linear, t)) < 0.0f) ++out.turned;
  out.triangles += rig.triangles.size();
}

// At three times of at most `clips` clips, spread over all there are.
std::map<std::string, Distance> distancesToLinear(const Model& model, std::size_t clips) {
  const Rig rig = buildRig(model);
  const Method& linear = findMethod("lbs");
  const std::size_t count = std::min(clips, model.clips.size());
  std::map<std::string, Distance> distances;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t last = model.clips.size() - 1;
    const Clip& clip = model.clips[count > 1 ? i * last / (count - 1) : 0];
    for (const float part : {0.25f, 0.5f, 0.75f}) {
      const auto modelFromNode =
          modelFromNodes(model.hierarchy, sample(model.hierarchy, clip, part * clip.seconds));
      BindOptions every;
      every.influences = 12;
      const SkinnedMesh reference = skinned(linear, rig, modelFromNode, every);
      const float size = boundsOf(reference.positions).size(); // a file may scale its bind space
      for (const char* name : {"dqs", "bones-blending", "arc-spline", "bezier-spline"})
        measure(rig, skinned(findMethod(name), rig, modelFromNode, every), reference, size,
                distances[name]);
    }
  }
  return distances;
}

} // namespace

TEST_CASE("shared models: the joint methods stay near linear blending") {
  for (const char* file : {"fox/Fox.glb", "cesium_man/CesiumMan.dae", "mannequiny/mannequiny.glb",
                           "kaykit_knight/Knight.glb"}) {
    const std::optional<Model> model = sharedModel(file);
    if (!model) continue;
    CAPTURE(file);
    auto distances = distancesToLinear(*model, 3);
    const Distance& bones = distances["bones-blending"];
    CHECK(bones.mean() < 0.0007);
    // A thigh turned by a right angle is thinner by linear blending itself, as much as dual
    // quaternions say.
    CHECK(bones.largest < std::max(0.016, 1.05 * distances["dqs"].largest));
    CHECK(bones.turnedShare() < 0.0035);
    for (const char* name : {"arc-spline", "bezier-spline"}) {
      CAPTURE(name);
      CHECK(distances[name].mean() < 0.002);
      CHECK(distances[name].largest < 0.034);
      CHECK(distances[name].turnedShare() < 0.0035);
    }
  }
}

TEST_CASE("shared models: no method makes spikes in any clip") {
  for (const char* file :
       {"tiny/tiny.x", "wuson/Testwuson.X", "male_suit/Male_Suit.fbx", "zombie/ZombieSmooth.fbx",
        "redeclipse_hands/hud_hands.md5mesh", "minetest_character/character.x"}) {
    const std::optional<Model> model = sharedModel(file);
    if (!model) continue;
    CAPTURE(file);
    for (const auto& [name, distance] : distancesToLinear(*model, 12)) {
      CAPTURE(name);
      CHECK(distance.finite);
      CHECK(distance.largest < 0.08);
      CHECK(distance.mean() < 0.004);
      CHECK(distance.turnedShare() < 0.02);
    }
  }
}

TEST_CASE("shared models: the bind pose is the identity") {
  for (const char* file : {"fox/Fox.glb", "mannequiny/mannequiny.glb", "tiny/tiny.x"}) {
    const std::optional<Model> model = sharedModel(file);
    if (!model) continue;
    CAPTURE(file);
    const Rig rig = buildRig(*model);
    const float size = boundsOf(rig.positions).size();
    std::vector<mat4> modelFromNode(model->hierarchy.nodes.size(), mat4(1.0f));
    for (const RigJoint& joint : rig.joints)
      modelFromNode[joint.node] = glm::inverse(joint.jointFromBind);
    for (const char* name : {"bones-blending", "arc-spline", "bezier-spline"}) {
      CAPTURE(name);
      const SkinnedMesh out = skinned(findMethod(name), rig, modelFromNode);
      for (std::size_t v = 0; v < out.positions.size(); ++v)
        CHECK(glm::length(out.positions[v] - rig.positions[v]) < 1e-6f * size);
    }
  }
}
