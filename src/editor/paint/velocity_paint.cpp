#include "editor/paint/velocity_paint.h"

#include <memory>
#include <numeric>
#include <utility>

namespace sinew {
namespace {

constexpr std::uint32_t kMoves = 0, kStays = 1;

} // namespace

PaintLayer strengthLayer(const Rig& rig) {
  PaintLayer layer;
  layer.groups = {{}};
  const std::vector<std::uint32_t> groups(rig.positions.size(), 0u);
  layer.surface = makePaintSurface(rig.positions, rig.triangles, groups);
  return layer;
}

PaintItem strengthItem() {
  return {{kMoves}, {kStays}};
}

PaintedWeights paintedStrength(std::span<const float> strength) {
  Influences out;
  for (const float each : strength) {
    std::vector<Influence> vertex;
    if (each > 0.0f) vertex.push_back({kMoves, each});
    if (each < 1.0f) vertex.push_back({kStays, 1.0f - each});
    if (vertex.size() == 2 && vertex[0].weight < vertex[1].weight) std::swap(vertex[0], vertex[1]);
    out.append(vertex);
  }
  return PaintedWeights(out);
}

std::vector<float> collectStrength(const PaintedWeights& painted) {
  std::vector<float> out(painted.vertexCount(), 0.0f);
  for (std::size_t v = 0; v < out.size(); ++v)
    for (const Influence& influence : painted.of(v))
      if (influence.joint == kMoves) out[v] = influence.weight;
  return out;
}

std::vector<float> openedStrength(const Document& document) {
  std::vector<float> out = document.opened.velocity.strength;
  if (out.size() != document.workbench.rig.positions.size())
    out.assign(document.workbench.rig.positions.size(), 1.0f);
  return out;
}

bool applyStrength(Document& document, const PaintedWeights& own, const Edit& was) {
  const Edit& now = document.history.now();
  const auto orOwn = [&](const Edit& edit) -> const PaintedWeights& {
    return edit.weights.strength.empty() ? own : edit.weights.strength;
  };
  const bool joints = now.velocityJoints != was.velocityJoints;
  if (!joints && orOwn(now).changedFrom(orOwn(was)).empty()) return false;
  Workbench& workbench = document.workbench;
  VelocityMap map = workbench.moving.map;
  if (joints)
    map.joints = now.velocityJoints ? *now.velocityJoints : document.opened.velocity.joints;
  map.strength = collectStrength(orOwn(now));
  setVelocityMap(workbench, std::move(map));
  std::vector<std::uint32_t> all(workbench.rig.positions.size());
  std::iota(all.begin(), all.end(), 0u);
  const auto vertices = std::make_shared<const std::vector<std::uint32_t>>(std::move(all));
  for (std::size_t i = 0; i < workbench.bound.size(); ++i)
    document.changes.vertices.push_back({i, vertices});
  document.stale = true;
  return true;
}

} // namespace sinew
