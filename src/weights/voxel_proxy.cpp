#include "weights/voxel_proxy.h"

#include "core/parallel.h"

#include <glm/geometric.hpp>

#include <array>
#include <limits>

namespace sinew {
namespace {

constexpr std::uint32_t kNoVertex = std::numeric_limits<std::uint32_t>::max();
constexpr int kSmoothings = 3;
// The net runs between the last center within half a voxel of the surface and the next: less than a
// voxel outside it, and smoothing moves it. Farther vertices cover a hole.
constexpr float kReach = 1.5f; // in voxels

// The group of eight voxels from (x, y, z) on has a vertex at its middle if they are not alike.
void addNetVertices(const VoxelSolid& solid, std::vector<std::uint32_t>& vertexOfGroup,
                    VoxelProxy& out) {
  const auto [nx, ny, nz] = solid.counts;
  vertexOfGroup.assign(solid.solid.size(), kNoVertex);
  for (std::size_t z = 0; z + 1 < nz; ++z)
    for (std::size_t y = 0; y + 1 < ny; ++y)
      for (std::size_t x = 0; x + 1 < nx; ++x) {
        int filled = 0;
        for (std::size_t corner = 0; corner < 8; ++corner)
          filled += solid.solid[solid.index(x + corner % 2, y + corner / 2 % 2, z + corner / 4)];
        if (filled == 0 || filled == 8) continue;
        vertexOfGroup[solid.index(x, y, z)] = static_cast<std::uint32_t>(out.positions.size());
        out.positions.push_back(solid.center(x, y, z) + vec3(0.5f * solid.cell));
      }
}

using NetQuad = std::array<std::uint32_t, 4>; // in order, wound outwards

// A quad of four groups around each face between a solid voxel and an empty neighbour.
std::vector<NetQuad> netQuads(const VoxelSolid& solid,
                              const std::vector<std::uint32_t>& vertexOfGroup) {
  std::vector<NetQuad> out;
  const std::array<std::size_t, 3> step{1, solid.counts[0], solid.counts[0] * solid.counts[1]};
  for (std::size_t i = 0; i < solid.solid.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (i + step[axis] >= solid.solid.size()) continue; // an empty layer
      const std::uint8_t here = solid.solid[i];
      if (here == solid.solid[i + step[axis]]) continue;
      const std::size_t u = step[(axis + 1) % 3], v = step[(axis + 2) % 3];
      NetQuad quad{vertexOfGroup[i - u - v], vertexOfGroup[i - v], vertexOfGroup[i],
                   vertexOfGroup[i - u]};
      if (here == 0) std::swap(quad[1], quad[3]);
      out.push_back(quad);
    }
  return out;
}

// Each vertex moves to the mean of its neighbours, several times.
void smoothNet(const std::vector<NetQuad>& quads, std::vector<vec3>& positions) {
  std::vector<vec3> sums(positions.size());
  std::vector<float> counts(positions.size());
  for (int round = 0; round < kSmoothings; ++round) {
    sums.assign(positions.size(), vec3(0.0f));
    counts.assign(positions.size(), 0.0f);
    for (const NetQuad& quad : quads)
      for (std::size_t c = 0; c < 4; ++c) {
        sums[quad[c]] += positions[quad[(c + 1) % 4]];
        counts[quad[c]] += 1.0f;
      }
    for (std::size_t p = 0; p < positions.size(); ++p)
      if (counts[p] > 0.0f) positions[p] = sums[p] / counts[p];
  }
}

} // namespace

VoxelProxy voxelProxy(const VoxelSolid& solid, const SurfaceRays& rays, ProgressMeter* meter) {
  const auto done = [&] {
    if (meter != nullptr) meter->piece();
  };
  VoxelProxy out;
  std::vector<std::uint32_t> vertexOfGroup;
  addNetVertices(solid, vertexOfGroup, out);
  done();
  const std::vector<NetQuad> quads = netQuads(solid, vertexOfGroup);
  done();
  smoothNet(quads, out.positions);
  done();
  forEachPieceInParallel(out.positions.size(), 2048, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      const vec3 nearest = rays.nearest(out.positions[p]).position;
      if (glm::length(nearest - out.positions[p]) < kReach * solid.cell) out.positions[p] = nearest;
    }
  });
  done();
  for (const auto& [a, b, c, d] : quads) {
    const auto length = [&](std::uint32_t i, std::uint32_t j) {
      return glm::length(out.positions[i] - out.positions[j]);
    };
    if (length(a, c) <= length(b, d)) {
      out.triangles.push_back({a, b, c});
      out.triangles.push_back({a, c, d});
    } else {
      out.triangles.push_back({a, b, d});
      out.triangles.push_back({b, c, d});
    }
  }
  return out;
}

} // namespace sinew
