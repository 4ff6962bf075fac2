#include "demo/humanoid_parts.h"
#include "demo/models.h"
#include "model/shapes.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {
namespace {

using humanoid::Part;

constexpr std::uint32_t kUnused = ~0u;

struct Look {
  std::string_view name;
  vec4 color; // linear
  float shininess;
  float specular;
};

constexpr std::array<Look, humanoid::kPartCount + 1> kLooks = {{
    {"skin", {0.640f, 0.345f, 0.225f, 1}, 20, 0.12f},
    {"hair", {0.085f, 0.035f, 0.018f, 1}, 40, 0.25f},
    {"shirt", {0.020f, 0.260f, 0.330f, 1}, 10, 0.05f},
    {"trousers", {0.055f, 0.062f, 0.105f, 1}, 10, 0.04f},
    {"shoes", {0.330f, 0.100f, 0.030f, 1}, 30, 0.20f},
    {"face", {1, 1, 1, 1}, 80, 0.50f},
}};

// The front half of the picture shows the front, mirrored left to right as the body is.
vec2 computeTexcoord(const vec3& p) {
  return {std::abs(p.x) / 0.85f, 1.0f - p.y / 1.75f};
}

// The part's triangles as a mesh of its own; vertices on an edge between parts exist in both.
Mesh makeMesh(const humanoid::Surface& surface, const std::vector<vec3>& normals,
              const std::vector<std::vector<float>>& weights, Part part) {
  const Look& look = kLooks[static_cast<std::size_t>(part)];
  Mesh mesh;
  mesh.name = look.name;
  mesh.material = static_cast<std::uint32_t>(part);
  mesh.skin = 0;
  std::vector<std::uint32_t> vertexByPoint(surface.positions.size(), kUnused);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (surface.parts[t] != part) continue;
    Triangle triangle = surface.triangles[t];
    for (std::uint32_t& corner : triangle) {
      const std::uint32_t v = corner;
      if (vertexByPoint[v] == kUnused) {
        vertexByPoint[v] = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.push_back(surface.positions[v]);
        mesh.normals.push_back(normals[v]);
        mesh.texcoords.push_back(computeTexcoord(surface.positions[v]));
        appendWeights(mesh.influences, weights[v]);
      }
      corner = vertexByPoint[v];
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

// Where a ray from the front meets the head.
float faceDepth(float x, float y) {
  float inside = 0.0f;
  float outside = 0.2f;
  for (int i = 0; i < 20; ++i) {
    const float middle = 0.5f * (inside + outside);
    (humanoid::bodyField(vec3(x, y, middle)) < 0.0f ? inside : outside) = middle;
  }
  return outside;
}

// A thin tube on the face through points (x, y); thinner towards its ends.
Shape strip(std::span<const vec2> points, float thickness) {
  std::vector<Ring> rings;
  const auto count = static_cast<float>(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const vec2 before = points[i == 0 ? 0 : i - 1];
    const vec2 after = points[std::min(i + 1, points.size() - 1)];
    const vec2 along = glm::normalize(after - before);
    const float middle = 2.0f * (static_cast<float>(i) + 0.5f) / count - 1.0f;
    const float radius = thickness * std::sqrt(1.0f - 0.85f * middle * middle);
    rings.push_back({vec3(points[i], faceDepth(std::abs(points[i].x), points[i].y)),
                     radius * vec3(-along.y, along.x, 0.0f), vec3(0, 0, radius)});
  }
  const auto beyond = [&](std::size_t end, std::size_t inner) {
    return rings[end].center + 0.3f * (rings[end].center - rings[inner].center);
  };
  return sweep(beyond(0, 1), rings, beyond(rings.size() - 1, rings.size() - 2), 8);
}

Shape mirrored(Shape shape) {
  for (vec3& p : shape.positions)
    p.x = -p.x;
  for (Quad& face : shape.faces)
    face = face[2] == face[3] ? Quad{face[1], face[0], face[2], face[2]}
                              : Quad{face[3], face[2], face[1], face[0]};
  return shape;
}

// Eyes, brows and mouth: they never bend, so they are rigid meshes of the head's node.
Mesh faceMesh(const Model& model) {
  const vec4 white(0.80f, 0.80f, 0.80f, 1.0f);
  const vec4 iris(0.030f, 0.016f, 0.010f, 1.0f);
  const vec4 lips(0.330f, 0.080f, 0.060f, 1.0f);
  constexpr std::array kBrow = {vec2(0.018f, 1.595f), vec2(0.027f, 1.599f), vec2(0.037f, 1.601f),
                                vec2(0.047f, 1.599f), vec2(0.056f, 1.593f)};
  std::vector<vec2> smile;
  for (int i = -5; i <= 5; ++i) {
    const float x = 0.0048f * static_cast<float>(i);
    smile.emplace_back(x, 1.4925f + 11.0f * x * x);
  }
  Shape shape;
  std::vector<vec4> colors;
  const auto add = [&](const Shape& part, const vec4& color) {
    append(shape, part);
    colors.resize(shape.positions.size(), color);
  };
  // On both sides; `out` is how far the middle stands out of the face.
  const auto addBall = [&](const vec2& at, float out, const vec3& radii, const vec4& color) {
    const Shape ball = ellipsoid(vec3(at, faceDepth(at.x, at.y) + out), radii, 16, 9);
    add(ball, color);
    add(mirrored(ball), color);
  };
  addBall({0.0350f, 1.560f}, -0.005f, {0.0150f, 0.0185f, 0.0090f}, white);
  addBall({0.0340f, 1.560f}, -0.0005f, {0.0105f, 0.0140f, 0.0060f}, iris);
  addBall({0.0305f, 1.5655f}, 0.0040f, {0.0028f, 0.0034f, 0.0020f}, white);
  const Shape brow = strip(kBrow, 0.0040f);
  add(brow, kLooks[1].color);
  add(mirrored(brow), kLooks[1].color);
  add(strip(smile, 0.0030f), lips);

  Mesh mesh = toMesh(shape, "face");
  mesh.colors = std::move(colors);
  mesh.node = jointNamed(model, "Head");
  mesh.material = humanoid::kPartCount;
  for (vec3& p : mesh.positions)
    p -= humanoid::joints()[humanoid::kHead].position;
  return mesh;
}

} // namespace

Model makeHumanoid() {
  Model model = makeSkeleton("humanoid", humanoid::joints());
  const humanoid::Surface surface = humanoid::makeSurface();
  const std::vector<vec3> normals = computeNormals(surface.positions, surface.triangles);
  const auto weights = humanoid::makeWeights(surface.positions, surface.triangles);
  for (std::size_t part = 0; part < humanoid::kPartCount; ++part)
    model.meshes.push_back(makeMesh(surface, normals, weights, static_cast<Part>(part)));
  model.meshes.push_back(faceMesh(model));
  for (const Look& look : kLooks) {
    Material material;
    material.name = look.name;
    material.baseColor = look.color;
    material.shininess = look.shininess;
    material.roughness = toRoughness(look.shininess);
    material.specular = look.specular;
    model.materials.push_back(std::move(material));
  }
  model.clips = humanoid::makeClips(model);
  return model;
}

} // namespace sinew
