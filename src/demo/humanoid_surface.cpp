
#include "demo/humanoid_parts.h"
#include "model/implicit.h"

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>

namespace sinew::humanoid {
namespace {

constexpr float kCell = 0.0228f; // in the trunk

// Edges between parts, as fields: positive on the side named.
float aboveCollar(const vec3& p) {
  return p.y - 1.388f + 0.28f * (p.z + 0.012f);
}
float beyondSleeve(const vec3& p) {
  return p.x - 0.294f;
}
float belowHem(const vec3& p) {
  return 0.915f - p.y;
}
float belowCuff(const vec3& p) {
  return 0.101f - p.y;
}
float inHair(const vec3& p) {
  return p.y < 1.43f ? -1.0f : aboveHairline(p);
}

Part partAt(const vec3& p) {
  if (beyondSleeve(p) > 0.0f) return Part::skin;
  if (inHair(p) > 0.0f) return Part::hair;
  if (aboveCollar(p) > 0.0f) return Part::skin;
  if (belowCuff(p) > 0.0f) return Part::shoes;
  return belowHem(p) > 0.0f ? Part::trousers : Part::shirt;
}

// Grid lines are closer in the hand (all axes) and in the head (x and z).
NodeGrid makeGrid() {
  constexpr std::uint32_t kBelow = 60; // rows from the ground to the arm's height
  constexpr std::uint32_t kDeep = 21;
  NodeGrid grid;
  grid.x = 56;
  grid.y = kBelow + 30;
  grid.z = kDeep;
  grid.node = [](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    const float column = static_cast<float>(i) - 0.5f;
    // kCell a column near the body, less in the hand.
    const float bodyColumns = 26.0f;
    float x = kCell * std::min(column, bodyColumns);
    if (column > bodyColumns) x += 0.0088f * (column - bodyColumns);
    const float shrink = glm::mix(1.0f, 0.42f, smoothStep(x - 0.50f, 0.11f));
    const float row = static_cast<float>(j) - static_cast<float>(kBelow) + 0.5f;
    const float y = kArmHeight + kCell * row * shrink;
    const float narrow = glm::mix(1.0f, 0.68f, smoothStep(y - 1.44f, 0.06f));
    const float layer = static_cast<float>(k) - 9.5f;
    const float z = kCell * layer * shrink * narrow;
    return vec3(x * (x < 0.3f ? narrow : 1.0f), y, z);
  };
  return grid;
}

// The half x >= 0, open at x = 0, with every edge between parts along edges of the mesh.
Surface makeHalf(const Field& field) {
  Shape net = surfaceNets(makeGrid(), field);
  std::vector<bool> onMirror;
  for (vec3& p : net.positions) {
    onMirror.push_back(p.x < 1e-4f);
    if (onMirror.back()) p.x = 0.0f;
  }
  relax(net.positions, neighbours(net.positions.size(), triangulate(net)), field, 4,
        [&](std::uint32_t v, const vec3& p) { return onMirror[v] ? vec3(0, p.y, p.z) : p; });
  Surface half = {net.positions, triangulate(net), {}};
  for (const auto& cut : {inHair, aboveCollar, beyondSleeve, belowHem, belowCuff})
    cutAlong(half.positions, half.triangles, field, cut);
  return half;
}

// Adds the other half; vertices on the plane between them are shared.
void mirror(Surface& surface) {
  std::vector<std::uint32_t> mirrored(surface.positions.size());
  for (std::uint32_t v = 0; v < mirrored.size(); ++v) {
    vec3& p = surface.positions[v];
    if (std::abs(p.x) < 1e-4f) p.x = 0.0f;
    mirrored[v] = p.x == 0.0f ? v : static_cast<std::uint32_t>(surface.positions.size());
    const vec3 other(-p.x, p.y, p.z);
    if (p.x != 0.0f) surface.positions.push_back(other);
  }
  const std::size_t halfTriangles = surface.triangles.size();
  for (std::size_t t = 0; t < halfTriangles; ++t) {
    const auto [a, b, c] = surface.triangles[t];
    surface.triangles.push_back({mirrored[a], mirrored[c], mirrored[b]});
  }
}

} // namespace

Surface makeSurface() {
  const Field field = [](const vec3& p) { return bodyField(vec3(std::abs(p.x), p.y, p.z)); };
  Surface surface = makeHalf(field);
  mirror(surface);
  for (const auto& [a, b, c] : surface.triangles) {
    const vec3 middle = (surface.positions[a] + surface.positions[b] + surface.positions[c]) / 3.0f;
    surface.parts.push_back(partAt(vec3(std::abs(middle.x), middle.y, middle.z)));
  }
  return surface;
}

} // namespace sinew::humanoid
