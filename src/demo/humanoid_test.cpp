#include "animation/sample.h"
#include "core/random.h"
#include "demo/humanoid_parts.h"
#include "demo/models.h"
#include "model/implicit.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

using namespace sinew;

namespace {

using Place = std::array<float, 3>;

// The skin's weights by joint name, per place (vertices on an edge between two parts agree).
using Weights = std::map<std::string, float>;

std::map<Place, Weights> weightsByPlace(const Model& model) {
  std::map<Place, Weights> out;
  for (const Mesh& mesh : model.meshes) {
    if (!mesh.skin) continue;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const vec3& p = mesh.positions[v];
      Weights weights;
      for (const auto& [joint, weight] : mesh.influences.of(v))
        weights[model.hierarchy.nodes[model.skins[0].joints[joint].node].name] = weight;
      const auto [found, isNew] = out.emplace(Place{p.x, p.y, p.z}, weights);
      if (!isNew) CHECK(found->second == weights);
    }
  }
  return out;
}

std::string otherSide(std::string name) {
  if (name.starts_with("Left")) return "Right" + name.substr(4);
  if (name.starts_with("Right")) return "Left" + name.substr(5);
  return name;
}

// Posed joint positions and skin of a clip at a time.
struct Posed {
  std::vector<mat4> modelFromNode;
  SkinnedMesh skin;
};

class Player {
 public:
  Player() : rig_(buildRig(model)), binding_(findMethod("lbs").bind(rig_, {})) {}

  Posed at(std::string_view clip, float phase) const {
    const Clip& found = model.clips[findClip(model, clip)];
    const Pose pose = sample(model.hierarchy, found, phase * found.seconds);
    Posed posed;
    posed.modelFromNode = modelFromNodes(model.hierarchy, pose);
    Palette palette;
    packPalette(findMethod("lbs"), rig_, binding_, posed.modelFromNode, palette);
    findMethod("lbs").skin(rig_, binding_, palette, posed.skin);
    return posed;
  }
  vec3 joint(const Posed& posed, std::string_view name) const {
    return vec3(posed.modelFromNode[*findNode(model.hierarchy, name)][3]);
  }

  Model model = makeHumanoid();

 private:
  Rig rig_;
  Binding binding_;
};

} // namespace

TEST_CASE("the humanoid is 1.7 m of some thousand vertices, stands on the ground and faces +Z") {
  const Model model = makeHumanoid();
  CHECK(vertexCount(model) > 3000);
  CHECK(vertexCount(model) < 8000);
  CHECK(model.skins[0].joints.size() == humanoid::kJointCount);
  Bounds bounds;
  for (const Mesh& mesh : model.meshes)
    if (mesh.skin) bounds.include(computeBounds(mesh.positions));
  CHECK(bounds.min.y == doctest::Approx(0.0f).epsilon(0.002));
  CHECK(bounds.max.y == doctest::Approx(1.7f).epsilon(0.005));
  CHECK(bounds.max.z > -bounds.min.z); // toes reach further than heels
  const std::uint32_t head = jointNamed(model, "Head");
  for (const Mesh& mesh : model.meshes)
    if (!mesh.skin) {
      CHECK(mesh.node == head);
      CHECK(computeBounds(mesh.positions).min.z > 0.0f); // the face is in front
    }
  for (const std::string_view name : {"idle", "walk", "wave", "stretch"})
    CHECK(model.clips[findClip(model, name)].name == name);
}

TEST_CASE("the humanoid's two sides mirror each other, in shape and weights") {
  const Model model = makeHumanoid();
  const auto weights = weightsByPlace(model);
  for (const auto& [place, own] : weights) {
    const auto other = weights.find(Place{place[0] == 0.0f ? 0.0f : -place[0], place[1], place[2]});
    REQUIRE(other != weights.end());
    if (own.size() == 4) continue; // the least of four may tie with a fifth
    for (const auto& [name, weight] : own) {
      const auto found = other->second.find(otherSide(name));
      REQUIRE(found != other->second.end());
      CHECK(found->second == doctest::Approx(weight).epsilon(1e-3));
    }
  }
}

TEST_CASE("limbs do not drag the trunk or each other") {
  for (const auto& vertex : weightsByPlace(makeHumanoid())) {
    const Place& place = vertex.first;
    const Weights& weights = vertex.second;
    INFO("at ", place[0], ", ", place[1], ", ", place[2]);
    const bool left = place[0] > (place[1] < 0.70f ? 0.0f : 0.10f);
    for (const auto& [name, weight] : weights) {
      if (left) CHECK(!name.starts_with("Right"));
      if (place[1] < 1.15f) CHECK(name.find("Arm") == std::string::npos);
      if (place[1] > 1.05f) CHECK(name.find("Leg") == std::string::npos);
      if (place[1] > 1.53f) CHECK(name == "Head");
      if (std::abs(place[0]) > 0.50f && std::abs(place[0]) < 0.58f)
        CHECK(name.find("LowerArm") != std::string::npos);
    }
  }
}

TEST_CASE("feet never sink, one is always on the ground, and a planted foot does not slide") {
  const Player player;
  for (const std::string_view clip : {"idle", "walk", "wave", "stretch"})
    for (int i = 0; i <= 40; ++i) {
      const float phase = static_cast<float>(i) / 40.0f;
      CAPTURE(phase);
      const Posed posed = player.at(clip, phase);
      const float lowest = computeBounds(posed.skin.positions).min.y;
      CHECK(lowest > -0.01f);
      CHECK(lowest < 0.01f);
    }
  // Walking in place, the flat foot goes straight back at one speed.
  const vec3 from = player.joint(player.at("walk", 0.15f), "LeftToes");
  const vec3 to = player.joint(player.at("walk", 0.55f), "LeftToes");
  CHECK(to.z < from.z - 0.25f);
  for (int i = 0; i <= 20; ++i) {
    const float t = static_cast<float>(i) / 20.0f;
    const vec3 left = player.joint(player.at("walk", 0.15f + 0.4f * t), "LeftToes");
    CAPTURE(t);
    const vec3 off = left - glm::mix(from, to, t);
    CAPTURE(off.x);
    CAPTURE(off.y);
    CAPTURE(off.z);
    CHECK(glm::length(off) < 0.006f);
  }
  const vec3 still = player.joint(player.at("idle", 0.0f), "RightFoot");
  for (int i = 1; i < 20; ++i)
    CHECK(glm::length(player.joint(player.at("idle", static_cast<float>(i) / 20.0f), "RightFoot") -
                      still) < 0.003f);
}

TEST_CASE("walking: arms swing against the legs, both sides alike half a cycle apart") {
  const Player player;
  const Posed strike = player.at("walk", 0.0f);
  CHECK(player.joint(strike, "LeftFoot").z > player.joint(strike, "RightFoot").z + 0.3f);
  CHECK(player.joint(strike, "LeftHand").z < player.joint(strike, "RightHand").z - 0.3f);
  for (int i = 0; i < 10; ++i) {
    const float phase = 0.5f * static_cast<float>(i) / 10.0f;
    const Posed now = player.at("walk", phase);
    const Posed later = player.at("walk", phase + 0.5f);
    for (const char* name : {"LeftFoot", "LeftHand", "LeftLowerLeg", "LeftLowerArm"}) {
      vec3 mirrored = player.joint(later, otherSide(name));
      mirrored.x = -mirrored.x;
      CHECK(glm::length(player.joint(now, name) - mirrored) < 0.002f);
    }
  }
}

TEST_CASE("waving lifts the right hand above the head's joint and turns the palm to the front") {
  const Player player;
  const Posed posed = player.at("wave", 0.5f);
  CHECK(player.joint(posed, "RightHand").y > player.joint(posed, "Head").y);
  CHECK(player.joint(posed, "LeftHand").y < 1.0f);
  const mat4& hand = posed.modelFromNode[*findNode(player.model.hierarchy, "RightHand")];
  CHECK(transformVector(hand, vec3(0, -1, 0)).z > 0.7f); // in T-pose palms face down
}

TEST_CASE("stretching twists straight forearms by more than 150 degrees, then bends the elbows") {
  const Player player;
  const auto forearm = [&](float phase) {
    const Posed posed = player.at("stretch", phase);
    const auto of = [&](const char* name) {
      return glm::mat3(posed.modelFromNode[*findNode(player.model.hierarchy, name)]);
    };
    return glm::transpose(of("LeftUpperArm")) * of("LeftLowerArm");
  };
  const glm::mat3 twisted = forearm(0.375f);
  CHECK(twisted[0].x > 0.95f); // straight
  CHECK(twisted[1].y < std::cos(glm::radians(150.0f)));
  CHECK(forearm(0.625f)[0].x < -0.4f);
}

TEST_CASE("placeFoot puts the ankle where it is asked for, within reach") {
  const Model model = makeHumanoid();
  const std::uint32_t ankle = jointNamed(model, "RightFoot");
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Pose pose = restPose(model.hierarchy);
    pose.parentFromNode[humanoid::kHips].translation +=
        vec3(random.uniform(-0.05f, 0.05f), random.uniform(-0.2f, -0.1f), 0.0f);
    pose.parentFromNode[humanoid::kHips].rotation =
        rotationAbout(glm::normalize(vec3(1, 2, 3)), random.uniform(-15, 15));
    humanoid::Footing footing;
    footing.offset = {random.uniform(-0.05f, 0.1f), random.uniform(0, 0.2f),
                      random.uniform(-0.25f, 0.25f)};
    humanoid::placeFoot(pose.parentFromNode, humanoid::Side::right, footing);
    const vec3 at = vec3(modelFromNodes(model.hierarchy, pose)[ankle][3]);
    const vec3 expected = humanoid::joints()[ankle].position +
                          vec3(-footing.offset.x, footing.offset.y, footing.offset.z);
    CHECK(glm::length(at - expected) < 1e-4f);
  }
}
