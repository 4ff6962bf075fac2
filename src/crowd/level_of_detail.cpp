#include "crowd/level_of_detail.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <span>

namespace sinew {
namespace {

constexpr float kLargestError = 0.05f; // share of a mesh's extent
constexpr double kLeastGain = 0.9;     // a level with more triangles than this share is none

// One mesh of the rig, to `share` of its triangles; behind those of the level.
void simplifyMesh(const Rig& rig, const RigMesh& mesh, double share, DetailLevel& level) {
  const auto triangles = std::span(rig.triangles).subspan(mesh.firstTriangle, mesh.triangleCount);
  std::vector<unsigned> indices;
  indices.reserve(3 * triangles.size());
  for (const Triangle& triangle : triangles)
    for (const std::uint32_t vertex : triangle)
      indices.push_back(vertex - mesh.firstVertex);
  std::vector<unsigned> out(indices.size());
  const float* positions = &rig.positions[mesh.firstVertex].x;
  const auto target = static_cast<std::size_t>(share * static_cast<double>(triangles.size())) * 3;
  float error = 0.0f;
  out.resize(meshopt_simplify(out.data(), indices.data(), indices.size(), positions,
                              mesh.vertexCount, sizeof(vec3), target, kLargestError, 0, &error));
  error *= meshopt_simplifyScale(positions, mesh.vertexCount, sizeof(vec3));
  level.error = std::max(level.error, error);
  RigMesh simplified = mesh;
  simplified.firstTriangle = static_cast<std::uint32_t>(level.triangles.size());
  simplified.triangleCount = static_cast<std::uint32_t>(out.size() / 3);
  for (std::size_t i = 0; i < out.size(); i += 3)
    level.triangles.push_back(
        {mesh.firstVertex + out[i], mesh.firstVertex + out[i + 1], mesh.firstVertex + out[i + 2]});
  level.meshes.push_back(simplified);
}

} // namespace

std::vector<DetailLevel> detailLevels(const Rig& rig) {
  std::vector<DetailLevel> levels;
  std::size_t before = rig.triangles.size();
  double share = 1.0;
  for (std::size_t i = 0; i < kDetailLevels; ++i) {
    share *= 0.5;
    DetailLevel level;
    for (const RigMesh& mesh : rig.meshes)
      if (mesh.triangleCount > 0)
        simplifyMesh(rig, mesh, share, level);
      else
        level.meshes.push_back(mesh);
    if (static_cast<double>(level.triangles.size()) > kLeastGain * static_cast<double>(before))
      break;
    before = level.triangles.size();
    levels.push_back(std::move(level));
  }
  return levels;
}

Rig withLevel(const Rig& rig, const DetailLevel& level) {
  Rig out = rig;
  out.triangles = level.triangles;
  out.meshes = level.meshes;
  return out;
}

} // namespace sinew
