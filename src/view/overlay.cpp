#include "view/overlay.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

using Color = glm::u8vec4;

constexpr Color kBone{214, 222, 234, 120};
constexpr Color kSelected{255, 168, 48, 255};
constexpr Color kLeaf{170, 180, 198, 120};

// The renderer draws overlay colours as they are: give a face its light here.
Color lit(const Color& color, const vec3& normal) {
  const vec3 light = glm::normalize(vec3(0.4f, 0.8f, 0.45f));
  const float shade = 0.62f + 0.38f * glm::dot(normal, light);
  const vec3 rgb = shade * vec3(color);
  return {static_cast<std::uint8_t>(rgb.x), static_cast<std::uint8_t>(rgb.y),
          static_cast<std::uint8_t>(rgb.z), color.w};
}

void addFace(Overlay& overlay, const vec3& a, const vec3& b, const vec3& c, const vec3& inside,
             const Color& color) {
  vec3 normal = glm::cross(b - a, c - a);
  const float length = glm::length(normal);
  if (!(length > 0.0f)) return;
  normal /= length;
  if (glm::dot(normal, (a + b + c) / 3.0f - inside) < 0.0f) normal = -normal;
  addTriangle(overlay, a, b, c, lit(color, normal));
}

// An octahedron with its square near `from`, its tips at `from` and `to`.
void addBone(Overlay& overlay, const vec3& from, const vec3& to, float widest, const Color& color) {
  const vec3 along = to - from;
  const float length = glm::length(along);
  if (!(length > 0.0f)) return;
  const vec3 direction = along / length;
  const vec3 other = std::abs(direction.y) < 0.9f ? vec3(0, 1, 0) : vec3(1, 0, 0);
  const float width = std::min(0.055f * length, widest);
  const vec3 u = width * glm::normalize(glm::cross(direction, other));
  const vec3 v = glm::cross(direction, u);
  const vec3 middle = from + 0.14f * along;
  const std::array<vec3, 4> square{middle + u, middle + v, middle - u, middle - v};
  for (std::size_t i = 0; i < 4; ++i) {
    addFace(overlay, from, square[i], square[(i + 1) % 4], middle, color);
    addFace(overlay, to, square[i], square[(i + 1) % 4], middle, color);
  }
}

void addJoint(Overlay& overlay, const vec3& p, float radius, const Color& color) {
  addBone(overlay, p - vec3(0, radius, 0), p, radius, color);
  const std::array<vec3, 4> ring{vec3(radius, 0, 0), vec3(0, 0, radius), vec3(-radius, 0, 0),
                                 vec3(0, 0, -radius)};
  for (std::size_t i = 0; i < 4; ++i)
    for (const float side : {-radius, radius})
      addFace(overlay, p + vec3(0, side, 0), p + ring[i], p + ring[(i + 1) % 4], p, color);
}

// 1, 2 or 5 times a power of ten, at least x.
float roundUp(float x) {
  const float power = std::pow(10.0f, std::floor(std::log10(x)));
  for (const float step : {1.0f, 2.0f, 5.0f})
    if (step * power >= x * 0.999f) return step * power;
  return 10.0f * power;
}

} // namespace

void addLine(Overlay& overlay, const vec3& a, const vec3& b, const Color& color) {
  overlay.lines.push_back({a, color});
  overlay.lines.push_back({b, color});
}

void addTriangle(Overlay& overlay, const vec3& a, const vec3& b, const vec3& c,
                 const Color& color) {
  for (const vec3& p : {a, b, c})
    overlay.triangles.push_back({p, color});
}

namespace {

constexpr int kGridLines = 12; // each way from the middle

float gridStep(const Bounds& scene) {
  return roundUp(scene.size() / 12.0f);
}

} // namespace

Bounds gridBounds(const Bounds& scene, float height) {
  if (scene.empty() || !(scene.size() > 0.0f)) return scene;
  const vec3 reach = gridStep(scene) * static_cast<float>(kGridLines + 1) * vec3(1, 0, 1);
  vec3 middle = scene.center();
  middle.y = height;
  return {middle - reach, middle + reach};
}

void addGrid(Overlay& overlay, const Bounds& scene, float height) {
  if (scene.empty() || !(scene.size() > 0.0f)) return;
  const float step = gridStep(scene);
  const float reach = step * kGridLines;
  const float midX = step * std::round(scene.center().x / step);
  const float midZ = step * std::round(scene.center().z / step);
  // Lines fade towards the rim: a piece between two crossings has the alpha of its ends.
  const auto faded = [&](float x, float z, bool axis) {
    const float r = std::min(1.0f, std::hypot(x - midX, z - midZ) / reach);
    const float alpha = (axis ? 150.0f : 70.0f) * (1.0f - r * r);
    return Color(150, 155, 165, static_cast<int>(alpha));
  };
  for (int i = -kGridLines; i <= kGridLines; ++i)
    for (int k = -kGridLines; k < kGridLines; ++k) {
      const float fixedX = midX + step * static_cast<float>(i);
      const float fixedZ = midZ + step * static_cast<float>(i);
      const float x0 = midX + step * static_cast<float>(k);
      const float z0 = midZ + step * static_cast<float>(k);
      const bool axisX = std::abs(fixedZ) < 0.5f * step;
      const bool axisZ = std::abs(fixedX) < 0.5f * step;
      overlay.lines.push_back({{x0, height, fixedZ}, faded(x0, fixedZ, axisX)});
      overlay.lines.push_back({{x0 + step, height, fixedZ}, faded(x0 + step, fixedZ, axisX)});
      overlay.lines.push_back({{fixedX, height, z0}, faded(fixedX, z0, axisZ)});
      overlay.lines.push_back({{fixedX, height, z0 + step}, faded(fixedX, z0 + step, axisZ)});
    }
}

void addAxes(Overlay& overlay, const mat4& worldFromLocal, float length) {
  constexpr std::array<Color, 3> kColors{Color{235, 80, 80, 255}, Color{110, 205, 90, 255},
                                         Color{85, 135, 245, 255}};
  const vec3 origin(worldFromLocal[3]);
  for (int i = 0; i < 3; ++i) {
    const vec3 axis(worldFromLocal[i]);
    const float size = glm::length(axis);
    if (size > 0.0f)
      addLine(overlay, origin, origin + length / size * axis, kColors[static_cast<std::size_t>(i)]);
  }
}

void addSkeleton(Overlay& overlay, const Model& model, std::span<const mat4> modelFromNode,
                 const SkeletonStyle& style) {
  const std::vector<Node>& nodes = model.hierarchy.nodes;
  std::vector<bool> isJoint(nodes.size(), false);
  const std::vector<std::uint32_t> joints = jointNodes(model);
  for (const std::uint32_t node : joints)
    isJoint[node] = true;
  const float widest = 0.009f * style.size;
  const auto shown = [&](std::uint32_t node) {
    return style.hidden.size() != nodes.size() || style.hidden[node] == 0;
  };

  std::vector<bool> hasChild(nodes.size(), false);
  for (const std::uint32_t node : joints) {
    std::uint32_t parent = nodes[node].parent; // helper nodes between two joints are passed over
    while (parent != kNoNode && !isJoint[parent])
      parent = nodes[parent].parent;
    if (parent == kNoNode) continue;
    hasChild[parent] = true;
    if (!shown(parent) || !shown(node)) continue;
    addBone(overlay, vec3(modelFromNode[parent][3]), vec3(modelFromNode[node][3]), widest,
            style.selectedNode == parent ? kSelected : kBone);
  }
  for (const std::uint32_t node : joints) {
    if (!shown(node)) continue;
    const vec3 p(modelFromNode[node][3]);
    const bool selected = style.selectedNode == node;
    if (selected)
      addJoint(overlay, p, 0.9f * widest, kSelected);
    else if (!hasChild[node])
      addJoint(overlay, p, 0.5f * widest, kLeaf);
    if (selected || style.axes) addAxes(overlay, modelFromNode[node], 5.5f * widest);
  }
}

} // namespace sinew
