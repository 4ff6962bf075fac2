#include "weights/surface.h"

#include "rig/welded_vertices.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

std::vector<vec3> finitePositions(std::span<const vec3> positions, SurfaceRepairs& repairs) {
  std::vector<vec3> out(positions.begin(), positions.end());
  glm::dvec3 sum(0.0);
  std::size_t finite = 0;
  for (const vec3& p : out)
    if (isFinite(p)) {
      sum += glm::dvec3(p);
      ++finite;
    }
  const vec3 middle = finite > 0 ? vec3(sum / static_cast<double>(finite)) : vec3(0.0f);
  for (vec3& p : out)
    if (!isFinite(p)) {
      p = middle;
      ++repairs.nonFiniteVertices;
    }
  return out;
}

// Welded vertices are numbered in the order of their first vertex.
void weld(std::span<const vec3> positions, WeightSurface& out) {
  const std::vector<std::uint32_t> first = weldVertices(positions);
  out.weldedOfVertex.resize(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (first[v] == v) {
      out.weldedOfVertex[v] = static_cast<std::uint32_t>(out.positions.size());
      out.positions.push_back(positions[v]);
    } else {
      out.weldedOfVertex[v] = out.weldedOfVertex[first[v]];
      ++out.repairs.weldedVertices;
    }
  }
}

// Twice the area is below rounding of the coordinates.
bool isFlat(const vec3& a, const vec3& b, const vec3& c) {
  const vec3 normal = glm::cross(b - a, c - a);
  const float longest =
      std::max({glm::dot(b - a, b - a), glm::dot(c - a, c - a), glm::dot(c - b, c - b)});
  return !(glm::length(normal) > 1e-7f * longest);
}

void addTriangles(std::span<const vec3> positions, std::span<const Triangle> triangles,
                  WeightSurface& out) {
  std::vector<std::pair<Triangle, Triangle>> sorted; // by corners, then as wound
  for (const Triangle& t : triangles) {
    const bool there =
        std::all_of(t.begin(), t.end(), [&](auto v) { return v < positions.size(); });
    if (!there || isFlat(positions[t[0]], positions[t[1]], positions[t[2]])) {
      ++out.repairs.degenerateTriangles;
      continue;
    }
    const Triangle wound{out.weldedOfVertex[t[0]], out.weldedOfVertex[t[1]],
                         out.weldedOfVertex[t[2]]};
    Triangle corners = wound;
    std::sort(corners.begin(), corners.end());
    sorted.emplace_back(corners, wound);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (i > 0 && sorted[i].first == sorted[i - 1].first)
      ++out.repairs.repeatedTriangles;
    else
      out.triangles.push_back(sorted[i].second);
}

// A side of a triangle; sides of one edge are neighbours when sorted.
struct TriangleSide {
  WeldedEdge edge;
  std::uint32_t triangle = 0;
  bool forward = false; // runs from the lower vertex index to the higher
};

std::vector<TriangleSide> listSides(std::span<const Triangle> triangles) {
  std::vector<TriangleSide> sides;
  sides.reserve(3 * triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = triangles[t][i];
      const std::uint32_t b = triangles[t][(i + 1) % 3];
      sides.push_back({std::minmax(a, b), t, a < b});
    }
  std::sort(sides.begin(), sides.end(), [](const TriangleSide& a, const TriangleSide& b) {
    return std::pair(a.edge, a.triangle) < std::pair(b.edge, b.triangle);
  });
  return sides;
}

struct Neighbour {
  std::uint32_t triangle = kNone;
  bool agrees = true; // wound the same way
};
using Neighbours = std::vector<std::array<Neighbour, 3>>;

// Across edges of exactly two triangles; counts the others.
Neighbours findNeighbours(const std::vector<TriangleSide>& sides, std::size_t triangles,
                          SurfaceRepairs& repairs) {
  Neighbours out(triangles);
  std::vector<std::uint8_t> known(triangles, 0);
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].edge == sides[i].edge)
      ++end;
    if (end - i == 1) ++repairs.openEdges;
    if (end - i > 2) ++repairs.nonManifoldEdges;
    if (end - i == 2) {
      const bool agrees = sides[i].forward != sides[i + 1].forward;
      const std::uint32_t a = sides[i].triangle;
      const std::uint32_t b = sides[i + 1].triangle;
      out[a][known[a]++] = {b, agrees};
      out[b][known[b]++] = {a, agrees};
    }
    i = end;
  }
  return out;
}

// Six times the volume between a patch and its center: positive where it is wound outwards.
double volumeAbout(const WeightSurface& surface, std::span<const std::uint32_t> patch,
                   const std::vector<bool>& flipped) {
  glm::dvec3 middle(0.0);
  for (const std::uint32_t t : patch)
    for (const std::uint32_t v : surface.triangles[t])
      middle += glm::dvec3(surface.positions[v]);
  middle /= 3.0 * static_cast<double>(patch.size());
  double volume = 0.0;
  for (const std::uint32_t t : patch) {
    const Triangle& corners = surface.triangles[t];
    const glm::dvec3 a = glm::dvec3(surface.positions[corners[0]]) - middle;
    const glm::dvec3 b = glm::dvec3(surface.positions[corners[1]]) - middle;
    const glm::dvec3 c = glm::dvec3(surface.positions[corners[2]]) - middle;
    volume += (flipped[t] ? -1.0 : 1.0) * glm::dot(a, glm::cross(b, c));
  }
  return volume;
}

// Makes the windings of each patch of triangles connected by manifold edges consistent, and outward
// where it encloses a volume; a flat patch keeps the winding of the majority of its triangles.
void orient(WeightSurface& surface, const Neighbours& neighbours) {
  const std::size_t count = surface.triangles.size();
  std::vector<bool> seen(count, false);
  std::vector<bool> flipped(count, false);
  for (std::uint32_t start = 0; start < count; ++start) {
    if (seen[start]) continue;
    std::vector<std::uint32_t> patch{start};
    seen[start] = true;
    std::size_t against = 0;
    for (std::size_t i = 0; i < patch.size(); ++i)
      for (const Neighbour& next : neighbours[patch[i]]) {
        if (next.triangle == kNone || seen[next.triangle]) continue;
        seen[next.triangle] = true;
        flipped[next.triangle] = flipped[patch[i]] == next.agrees;
        against += flipped[next.triangle] ? 1 : 0;
        patch.push_back(next.triangle);
      }
    const double volume = volumeAbout(surface, patch, flipped);
    const double least = 1e-4 * std::pow(static_cast<double>(surface.size), 3);
    const bool flip = std::abs(volume) > least ? volume < 0.0 : 2 * against > patch.size();
    for (const std::uint32_t t : patch) {
      if (flipped[t] == flip) continue;
      std::swap(surface.triangles[t][1], surface.triangles[t][2]);
      ++surface.repairs.flippedTriangles;
    }
  }
}

std::uint32_t findRoot(std::vector<std::uint32_t>& parents, std::uint32_t v) {
  while (parents[v] != v)
    v = parents[v] = parents[parents[v]];
  return v;
}

void findComponents(WeightSurface& surface) {
  const std::size_t count = surface.positions.size();
  std::vector<std::uint32_t> parents(count);
  std::iota(parents.begin(), parents.end(), 0u);
  std::vector<bool> used(count, false);
  for (const Triangle& t : surface.triangles)
    for (const std::uint32_t v : t) {
      used[v] = true;
      parents[findRoot(parents, v)] = findRoot(parents, t[0]);
    }
  surface.componentOfWelded.assign(count, kNone);
  std::vector<std::uint32_t> componentOfRoot(count, kNone);
  for (const bool loose : {false, true})
    for (std::uint32_t v = 0; v < count; ++v) {
      if (used[v] == loose) continue;
      std::uint32_t& component = componentOfRoot[findRoot(parents, v)];
      if (component == kNone) component = surface.componentCount++;
      surface.componentOfWelded[v] = component;
      surface.repairs.looseVertices += loose ? 1 : 0;
    }
  surface.repairs.components = surface.componentCount - surface.repairs.looseVertices;
}

} // namespace

WeightSurface makeWeightSurface(std::span<const vec3> positions,
                                std::span<const Triangle> triangles) {
  WeightSurface out;
  const std::vector<vec3> finite = finitePositions(positions, out.repairs);
  weld(finite, out);
  addTriangles(finite, triangles, out);
  const float size = out.positions.empty() ? 0.0f : computeBounds(out.positions).size();
  out.size = size > 0.0f ? size : 1.0f;
  orient(out, findNeighbours(listSides(out.triangles), out.triangles.size(), out.repairs));
  findComponents(out);
  out.normals.assign(out.positions.size(), vec3(0.0f));
  for (const Triangle& t : out.triangles) {
    const vec3 normal = glm::cross(out.positions[t[1]] - out.positions[t[0]],
                                   out.positions[t[2]] - out.positions[t[0]]);
    for (const std::uint32_t v : t)
      out.normals[v] += normal;
  }
  for (vec3& normal : out.normals)
    if (const float length = glm::length(normal); length > 0.0f) normal /= length;
  return out;
}

} // namespace sinew
