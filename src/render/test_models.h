// Models for tests of the renderer: a tube that can bend, and rigs with everything random that a
// file could hold.
#pragma once

#include "animation/pose.h"
#include "animation/random_model.h"
#include "core/random.h"
#include "model/model.h"
#include "skinning/method.h"

#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew::test {

// Not uniform over all rotations, as randomRotation() is.
inline quat anyRotation(Random& random) {
  const quat q(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
               random.uniform(-1, 1));
  const float length = glm::length(q);
  return length > 0.1f ? q / length : quat(1, 0, 0, 0);
}

inline Image checkerboard(std::uint32_t size, std::uint32_t squares) {
  Image image{size, size, {}};
  for (std::uint32_t y = 0; y < size; ++y)
    for (std::uint32_t x = 0; x < size; ++x) {
      const bool odd = ((x * squares / size) + (y * squares / size)) % 2 != 0;
      for (const int c : odd ? std::array{214, 120, 70, 255} : std::array{236, 222, 200, 255})
        image.rgba.push_back(static_cast<std::uint8_t>(c));
    }
  return image;
}

// An upright tube of `joints` joints in a chain, one unit each, four influences a vertex, textured.
struct TubeOptions {
  std::uint32_t joints = 12;
  std::uint32_t rings = 96;
  std::uint32_t sides = 32;
  float radius = 0.8f;
};

inline Model tube(const TubeOptions& o) {
  Model model;
  model.name = "tube";
  model.hierarchy.nodes.push_back({"root", kNoNode, {}});
  Skin skin;
  for (std::uint32_t j = 0; j < o.joints; ++j) {
    Node node{"joint" + std::to_string(j), j, {}};
    if (j > 0) node.rest.translation.y = 1.0f;
    model.hierarchy.nodes.push_back(node);
    skin.joints.push_back(
        {j + 1, glm::translate(mat4(1.0f), vec3(0.0f, -static_cast<float>(j), 0.0f))});
  }
  model.skins.push_back(skin);
  model.materials.push_back({.name = "clay", .baseColor = vec4(1.0f), .texture = 0});
  model.textures.push_back({"checker", "", checkerboard(128, 16), true});

  Mesh mesh;
  mesh.skin = 0;
  const auto length = static_cast<float>(o.joints);
  for (std::uint32_t r = 0; r <= o.rings; ++r)
    for (std::uint32_t s = 0; s <= o.sides; ++s) {
      const float v = static_cast<float>(r) / static_cast<float>(o.rings);
      const float u = static_cast<float>(s) / static_cast<float>(o.sides);
      const float angle = 6.2831853f * u;
      const vec3 out(std::cos(angle), 0.0f, std::sin(angle));
      mesh.positions.push_back(vec3(0.0f, v * length, 0.0f) + o.radius * (1.0f - 0.6f * v) * out);
      mesh.normals.push_back(out);
      mesh.texcoords.emplace_back(u, v);
      std::vector<Influence> influences;
      float sum = 0.0f;
      for (std::uint32_t j = 0; j < o.joints; ++j) {
        const float d = std::abs(v * length - 0.5f - static_cast<float>(j));
        if (d < 1.9f) influences.push_back({j, std::pow(1.9f - d, 3.0f)});
      }
      std::stable_sort(influences.begin(), influences.end(),
                       [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      for (const Influence& influence : influences)
        sum += influence.weight;
      for (Influence& influence : influences)
        influence.weight /= sum;
      mesh.influences.append(influences);
    }
  for (std::uint32_t r = 0; r < o.rings; ++r)
    for (std::uint32_t s = 0; s < o.sides; ++s) {
      const std::uint32_t a = r * (o.sides + 1) + s;
      const std::uint32_t b = a + o.sides + 1;
      mesh.triangles.push_back({a, b, a + 1});
      mesh.triangles.push_back({a + 1, b, b + 1});
    }
  model.meshes.push_back(std::move(mesh));
  return model;
}

// Rotates every joint alike, varied by phase: each character of a crowd has its own phase.
inline Pose wave(const Model& model, float phase) {
  Pose pose = restPose(model.hierarchy);
  for (std::size_t i = 2; i < pose.parentFromNode.size(); ++i) {
    const float t = phase + 0.7f * static_cast<float>(i);
    pose.parentFromNode[i].rotation =
        glm::angleAxis(0.22f * std::sin(t), glm::normalize(vec3(1.0f, 0.2f, 0.4f)));
  }
  return pose;
}

// A hierarchy, skin, mesh and pose with nothing regular about them.
struct RandomRigOptions {
  std::uint64_t seed = 1;
  std::uint32_t joints = 20;
  std::uint32_t vertices = 2000;
  std::uint32_t influences = 4; // a vertex has 1 to this many
  bool nonUniformScale = false; // also mirrored
  bool zeroScale = false;       // some joints are scaled to nothing along one axis, or all
};

inline Model randomModel(const RandomRigOptions& o) {
  Random random(o.seed);
  const auto randomPoint = [&](float size) {
    return vec3(random.uniform(-size, size), random.uniform(-size, size),
                random.uniform(-size, size));
  };
  Model model;
  Skin skin;
  for (std::uint32_t j = 0; j < o.joints; ++j) {
    Node node{"joint" + std::to_string(j), j == 0 ? kNoNode : random.below(j), {}};
    node.rest = {randomPoint(0.3f), anyRotation(random), vec3(1.0f)};
    model.hierarchy.nodes.push_back(node);
  }
  const std::vector<mat4> rest = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  for (std::uint32_t j = 0; j < o.joints; ++j)
    skin.joints.push_back({j, glm::inverse(rest[j])});
  model.skins.push_back(skin);
  model.materials.resize(2);
  for (Material& material : model.materials)
    material.baseColor = vec4(randomPoint(0.5f) + 0.5f, 1.0f);

  for (std::uint32_t m = 0; m < 3; ++m) {
    Mesh mesh;
    mesh.skin = 0;
    mesh.material = m % 2; // two meshes share one
    for (std::uint32_t v = 0; v < o.vertices / 3; ++v) {
      mesh.positions.push_back(randomPoint(1.0f));
      mesh.normals.push_back(anyRotation(random) * vec3(0, 0, 1));
      std::vector<Influence> influences(1 + random.below(o.influences));
      float sum = 0.0f;
      for (Influence& influence : influences) {
        influence = {random.below(o.joints), random.uniform(0.01f, 1.0f)};
        sum += influence.weight;
      }
      for (Influence& influence : influences)
        influence.weight /= sum;
      std::stable_sort(influences.begin(), influences.end(),
                       [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      mesh.influences.append(influences);
    }
    // Neighbouring triangles share vertices; the last tenth of the vertices is in none.
    for (std::uint32_t v = 0; v + 3 < o.vertices * 3 / 10; ++v)
      mesh.triangles.push_back({v, v + 1, v + 2});
    model.meshes.push_back(std::move(mesh));
  }
  return model;
}

inline Pose randomPose(const Model& model, const RandomRigOptions& o, std::uint64_t seed) {
  Random random(seed);
  Pose pose = restPose(model.hierarchy);
  for (Transform& t : pose.parentFromNode) {
    t.rotation = t.rotation * slerpShortest(quat(1, 0, 0, 0), anyRotation(random), 0.4f);
    t.translation += 0.05f * vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0.0f);
    // Rarely, so that a deep hierarchy neither explodes nor vanishes.
    if (o.nonUniformScale && random.below(8) == 0)
      t.scale = {random.uniform(0.7f, 1.3f), -random.uniform(0.7f, 1.3f), 1.0f};
    if (o.zeroScale && random.below(12) == 0)
      t.scale = random.below(2) == 0 ? vec3(1.0f, 0.0f, 1.0f) : vec3(0.0f);
  }
  return pose;
}

} // namespace sinew::test
