// Models for tests of the renderer: a tube that can bend, and rigs with everything random that a
// file could hold.
#pragma once

#include "animation/pose.h"
#include "core/random.h"
#include "model/model.h"
#include "skinning/method.h"

#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew::test {

inline quat randomRotation(Random& random) {
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

// Every joint turned the same way, wandering with phase: each character of a crowd its own.
inline Pose wave(const Model& model, float phase) {
  Pose pose = restPose(model.hierarchy);
  for (std::size_t i = 2; i < pose.parentFromNode.size(); ++i) {
    const float t = phase + 0.7f * static_cast<float>(i);
    pose.parentFromNode[i].rotation =
        glm::angleAxis(0.22f * std::sin(t), glm::normalize(vec3(1.0f, 0.2f, 0.4f)));
  }
  return pose;
}

} // namespace sinew::test
