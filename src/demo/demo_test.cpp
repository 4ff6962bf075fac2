#include "animation/sample.h"
#include "core/error.h"
#include "demo/demo.h"
#include "model/test_support.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <string>

using namespace sinew;

namespace {

constexpr int kTimes = 24; // moments per clip

// All skinned meshes of a demo as one surface, vertices at the same position welded.
struct Surface {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
};

Surface skinnedSurface(const Model& model) {
  Surface surface;
  for (const Mesh& mesh : model.meshes) {
    if (!mesh.skin) continue;
    const auto first = static_cast<std::uint32_t>(surface.positions.size());
    surface.positions.insert(surface.positions.end(), mesh.positions.begin(), mesh.positions.end());
    for (const auto& [a, b, c] : mesh.triangles)
      surface.triangles.push_back({first + a, first + b, first + c});
  }
  return surface;
}

bool sameTrack(const auto& a, const auto& b) {
  return a.times == b.times && a.values == b.values;
}

bool sameMesh(const Mesh& a, const Mesh& b) {
  return a.name == b.name && a.positions == b.positions && a.normals == b.normals &&
         a.texcoords == b.texcoords && a.colors == b.colors && a.triangles == b.triangles &&
         a.influences.offsets == b.influences.offsets &&
         std::equal(a.influences.values.begin(), a.influences.values.end(),
                    b.influences.values.begin(), b.influences.values.end(),
                    [](const Influence& x, const Influence& y) {
                      return x.joint == y.joint && x.weight == y.weight;
                    });
}

void checkMesh(const Mesh& mesh) {
  const std::size_t count = mesh.positions.size();
  REQUIRE(mesh.normals.size() == count);
  CHECK(mesh.texcoords.size() == count);
  for (const vec3& normal : mesh.normals)
    CHECK(glm::length(normal) == doctest::Approx(1.0f).epsilon(1e-4));
  const float edge = computeBounds(mesh.positions).size();
  for (const auto& [a, b, c] : mesh.triangles) {
    REQUIRE(std::max({a, b, c}) < count);
    const vec3 normal =
        glm::cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]);
    CHECK(glm::length(normal) > 1e-8f * edge * edge); // not degenerate
  }
}

void checkWeights(const Mesh& mesh, std::size_t jointCount) {
  REQUIRE(mesh.influences.vertexCount() == mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const auto influences = mesh.influences.of(v);
    REQUIRE(!influences.empty());
    CHECK(influences.size() <= 4);
    float sum = 0.0f;
    float last = 1.0f;
    std::set<std::uint32_t> joints;
    for (const auto& [joint, weight] : influences) {
      REQUIRE(joint < jointCount);
      CHECK(weight > 0.0f);
      CHECK(weight <= last);
      CHECK(joints.insert(joint).second);
      last = weight;
      sum += weight;
    }
    CHECK(sum == doctest::Approx(1.0f).epsilon(1e-5));
  }
}

// The largest change of any joint's weight along an edge.
float roughestEdge(const Mesh& mesh) {
  float roughest = 0.0f;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i)
      for (const Influence& influence : mesh.influences.of(t[i]))
        roughest = std::max(
            roughest, std::abs(influence.weight -
                               getWeight(mesh.influences.of(t[(i + 1) % 3]), influence.joint)));
  return roughest;
}

template <class T>
void checkTrack(const Track<T>& track, float seconds) {
  REQUIRE(track.times.size() == track.values.size());
  if (track.times.empty()) return;
  CHECK(track.times.front() == 0.0f);
  CHECK(track.times.back() == seconds);
  CHECK(track.values.front() == track.values.back());
  for (std::size_t i = 1; i < track.times.size(); ++i)
    CHECK(track.times[i] > track.times[i - 1]);
}

float longestEdge(const Surface& surface, std::span<const vec3> positions) {
  float longest = 0.0f;
  for (const Triangle& t : surface.triangles)
    for (std::size_t i = 0; i < 3; ++i)
      longest = std::max(longest, glm::length(positions[t[i]] - positions[t[(i + 1) % 3]]));
  return longest;
}

} // namespace

TEST_CASE("demos have unique names and are found by them") {
  std::set<std::string_view> names;
  for (const Demo& demo : demos()) {
    CHECK(names.insert(demo.name).second);
    CHECK(!demo.title.empty());
    CHECK(!demo.summary.empty());
    CHECK(&findDemo(demo.name) == &demo);
  }
  CHECK_THROWS_AS(findDemo("nonesuch"), Error);
}

TEST_CASE("demo meshes are complete, closed, outward and smoothly bound") {
  for (const Demo& demo : demos()) {
    CAPTURE(std::string(demo.name));
    const Model model = demo.make();
    CHECK(model.name == demo.name);
    REQUIRE(model.skins.size() == 1);
    CHECK(!model.clips.empty());
    for (const Mesh& mesh : model.meshes) {
      CAPTURE(mesh.name);
      REQUIRE(mesh.material < model.materials.size());
      checkMesh(mesh);
      if (!mesh.skin) {
        CHECK(isClosedManifold(weld(mesh.positions, mesh.triangles)));
        continue;
      }
      checkWeights(mesh, model.skins[0].joints.size());
      CHECK(roughestEdge(mesh) < 0.4f);
    }
    const Surface surface = skinnedSurface(model);
    CHECK(isClosedManifold(weld(surface.positions, surface.triangles)));
    CHECK(computeVolume(surface.positions, surface.triangles) > 0.0);
    for (const Material& material : model.materials)
      if (material.texture) {
        REQUIRE(*material.texture < model.textures.size());
        const Image& image = model.textures[*material.texture].image;
        CHECK(image.rgba.size() == std::size_t{4} * image.width * image.height);
        CHECK(!image.rgba.empty());
      }
  }
}

TEST_CASE("demo skeletons: unique names, and the rest pose is the bind pose") {
  for (const Demo& demo : demos()) {
    CAPTURE(std::string(demo.name));
    const Model model = demo.make();
    std::set<std::string> names;
    for (const Node& node : model.hierarchy.nodes)
      CHECK(names.insert(node.name).second);
    const auto modelFromNode = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
    for (const SkinJoint& joint : model.skins[0].joints) {
      const mat4 palette = modelFromNode[joint.node] * joint.jointFromBind;
      for (int c = 0; c < 4; ++c)
        CHECK(glm::length(palette[c] - mat4(1.0f)[c]) < 1e-5f);
    }
  }
}

TEST_CASE("demo clips loop, with unit rotations on one hemisphere") {
  for (const Demo& demo : demos()) {
    CAPTURE(std::string(demo.name));
    const Model model = demo.make();
    std::set<std::string> names;
    for (const Clip& clip : model.clips) {
      CAPTURE(clip.name);
      CHECK(names.insert(clip.name).second);
      CHECK(clip.seconds > 0.0f);
      REQUIRE(!clip.channels.empty());
      for (const Channel& channel : clip.channels) {
        checkTrack(channel.translation, clip.seconds);
        checkTrack(channel.rotation, clip.seconds);
        checkTrack(channel.scale, clip.seconds);
        const auto& rotations = channel.rotation.values;
        for (std::size_t i = 0; i < rotations.size(); ++i) {
          CHECK(glm::length(rotations[i]) == doctest::Approx(1.0f).epsilon(1e-5));
          if (i > 0) CHECK(glm::dot(rotations[i], rotations[i - 1]) > 0.0f);
        }
      }
    }
  }
}

TEST_CASE("no vertex flies off in any clip") {
  for (const Demo& demo : demos()) {
    CAPTURE(std::string(demo.name));
    const Model model = demo.make();
    const Rig rig = buildRig(model);
    const Method& lbs = findMethod("lbs");
    const Binding binding = lbs.bind(rig, {});
    const Surface surface = {rig.positions, rig.triangles};
    const Bounds bind = computeBounds(rig.positions);
    const float bindEdge = longestEdge(surface, rig.positions);
    Palette palette;
    SkinnedMesh posed;
    for (const Clip& clip : model.clips)
      for (int i = 0; i < kTimes; ++i) {
        const float time = clip.seconds * static_cast<float>(i) / kTimes;
        CAPTURE(clip.name);
        CAPTURE(time);
        const Pose pose = sample(model.hierarchy, clip, time);
        packPalette(lbs, rig, binding, modelFromNodes(model.hierarchy, pose), palette);
        lbs.skin(rig, binding, palette, posed);
        bool finite = true;
        for (const vec3& p : posed.positions)
          finite = finite && std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
        CHECK(finite);
        CHECK(computeBounds(posed.positions).size() < 1.2f * bind.size());
        CHECK(glm::length(computeBounds(posed.positions).center() - bind.center()) <
              0.5f * bind.size());
        CHECK(longestEdge(surface, posed.positions) < 3.0f * bindEdge);
        CHECK(computeVolume(posed.positions, rig.triangles) >
              0.7 * computeVolume(rig.positions, rig.triangles));
      }
  }
}

TEST_CASE("making a demo twice gives the same model, quickly") {
  for (const Demo& demo : demos()) {
    CAPTURE(std::string(demo.name));
    const auto start = std::chrono::steady_clock::now();
    const Model a = demo.make();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    CHECK(took.count() < 300.0); // well under one when optimised; a guard against a hang
    const Model b = demo.make();
    REQUIRE(a.meshes.size() == b.meshes.size());
    for (std::size_t i = 0; i < a.meshes.size(); ++i)
      CHECK(sameMesh(a.meshes[i], b.meshes[i]));
    REQUIRE(a.clips.size() == b.clips.size());
    for (std::size_t i = 0; i < a.clips.size(); ++i) {
      REQUIRE(a.clips[i].channels.size() == b.clips[i].channels.size());
      for (std::size_t c = 0; c < a.clips[i].channels.size(); ++c) {
        const Channel& x = a.clips[i].channels[c];
        const Channel& y = b.clips[i].channels[c];
        CHECK(x.node == y.node);
        CHECK(sameTrack(x.translation, y.translation));
        CHECK(sameTrack(x.rotation, y.rotation));
        CHECK(sameTrack(x.scale, y.scale));
      }
    }
  }
}
