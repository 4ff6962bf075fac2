#include "picture/ground_shadow.h"

#include <glm/common.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace sinew {
namespace {

constexpr std::size_t kSmallMesh = 4000; // vertices
constexpr float kCubes = 80.0f;          // along the model's size

} // namespace

std::vector<vec3> roughRestPositions(const Workbench& workbench) {
  const Rig& rig = workbench.rig;
  std::vector<mat4> modelFromNode;
  modelFromNodes(workbench.model.hierarchy, restPose(workbench.model), modelFromNode);
  std::vector<mat4> modelFromBind;
  for (const RigJoint& joint : rig.joints)
    modelFromBind.push_back(modelFromNode[joint.node] * joint.jointFromBind);
  std::vector<vec3> out = rig.positions;
  for (std::size_t v = 0; v < out.size(); ++v)
    if (const auto influences = rig.influences.of(v); !influences.empty())
      out[v] = transformPoint(modelFromBind[influences.front().joint], out[v]);
  return out;
}

ThinnedSurface thinnedSurface(const Workbench& workbench) {
  const Rig& rig = workbench.rig;
  ThinnedSurface out;
  const std::vector<vec3> rest = roughRestPositions(workbench);
  out.size = computeBounds(rest).size();
  if (rig.positions.size() <= kSmallMesh || !(out.size > 0.0f)) {
    out.vertices.resize(rig.positions.size());
    std::iota(out.vertices.begin(), out.vertices.end(), 0u);
    out.triangles = rig.triangles;
    return out;
  }
  using Cube = std::array<int, 3>;
  std::vector<std::pair<Cube, std::uint32_t>> sorted;
  for (std::uint32_t v = 0; v < rest.size(); ++v) {
    const vec3 cube = glm::clamp(glm::floor(rest[v] * (kCubes / out.size)), -1e6f, 1e6f);
    sorted.push_back(
        {{static_cast<int>(cube.x), static_cast<int>(cube.y), static_cast<int>(cube.z)}, v});
  }
  std::ranges::sort(sorted);
  std::vector<std::uint32_t> first(rest.size()); // of the vertices in the same cube
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool same = i > 0 && sorted[i].first == sorted[i - 1].first;
    first[sorted[i].second] = same ? first[sorted[i - 1].second] : sorted[i].second;
  }
  std::vector<std::uint32_t> index(rest.size(), 0);
  for (std::uint32_t v = 0; v < rest.size(); ++v) {
    if (first[v] != v) continue;
    index[v] = static_cast<std::uint32_t>(out.vertices.size());
    out.vertices.push_back(v);
  }
  for (const auto& [a, b, c] : rig.triangles) {
    const Triangle thinned{index[first[a]], index[first[b]], index[first[c]]};
    if (thinned[0] != thinned[1] && thinned[1] != thinned[2] && thinned[2] != thinned[0])
      out.triangles.push_back(thinned);
  }
  return out;
}

const Overlay& groundShadow(GroundShadow& shadow, const Workbench& workbench,
                            const BoundMethod& bound, float ground) {
  if (!shadow.laid) shadow.surface = thinnedSurface(workbench);
  // Morph targets move vertices, and what a binding holds of them.
  const bool morphs = !workbench.rig.morphs.empty() || bound.standIn;
  if (!shadow.laid || (shadow.stale && morphs))
    shadow.bound = gatherBind(BindVertices(workbench.rig, shownVertices(workbench, bound)),
                              shownBinding(bound), shadow.surface.vertices);
  if (!shadow.laid || shadow.stale)
    bound.method->skin(shadow.bound.vertices(), shadow.bound.binding, bound.palette, shadow.posed);
  if (!shadow.laid || shadow.stale || ground != shadow.ground) {
    castContactShadow(shadow.shadow, shadow.posed.positions, shadow.surface.triangles, ground,
                      shadow.surface.size);
    shadow.overlay.behind = true;
    shadow.overlay.triangles.clear();
    addContactShadow(shadow.overlay, shadow.shadow, ground);
  }
  shadow.laid = true;
  shadow.stale = false;
  shadow.ground = ground;
  return shadow.overlay;
}

} // namespace sinew
