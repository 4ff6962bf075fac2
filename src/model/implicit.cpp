#include "model/implicit.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sinew {
namespace {

constexpr float kDifference = 5e-4f; // step of the gradients, in the field's unit of length

// What surfaceNets looks at, by flat index.
struct Block {
  std::uint32_t x, y, z;
  std::size_t at(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
    return (static_cast<std::size_t>(k) * y + j) * x + i;
  }
};

// The middle of the crossings of a cell's twelve edges; false without any.
bool cellVertex(const Block& block, std::span<const vec3> nodes, std::span<const float> values,
                std::uint32_t i, std::uint32_t j, std::uint32_t k, vec3& out) {
  vec3 sum(0.0f);
  int count = 0;
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    for (std::uint32_t corner = 0; corner < 4; ++corner) {
      std::array<std::uint32_t, 3> a{};
      a[(axis + 1) % 3] = corner & 1u;
      a[(axis + 2) % 3] = corner >> 1u;
      std::array<std::uint32_t, 3> b = a;
      b[axis] = 1;
      const std::size_t from = block.at(i + a[0], j + a[1], k + a[2]);
      const std::size_t to = block.at(i + b[0], j + b[1], k + b[2]);
      if ((values[from] < 0.0f) == (values[to] < 0.0f)) continue;
      sum += glm::mix(nodes[from], nodes[to], values[from] / (values[from] - values[to]));
      ++count;
    }
  if (count == 0) return false;
  out = sum / static_cast<float>(count);
  return true;
}

constexpr std::uint32_t kNone = ~0u;

// The quads about the edges that leave each node along the axes.
void appendFaces(const Block& block, std::span<const float> values,
                 std::span<const std::uint32_t> vertexByNode, std::vector<Quad>& faces) {
  for (std::uint32_t k = 0; k < block.z; ++k)
    for (std::uint32_t j = 0; j < block.y; ++j)
      for (std::uint32_t i = 0; i < block.x; ++i)
        for (std::uint32_t axis = 0; axis < 3; ++axis) {
          const std::array<std::uint32_t, 3> size = {block.x, block.y, block.z};
          const std::array<std::uint32_t, 3> node = {i, j, k};
          const std::uint32_t u = (axis + 1) % 3;
          const std::uint32_t v = (axis + 2) % 3;
          // The edge must have its end and all four cells about it inside the block.
          if (node[axis] + 1 >= size[axis] || node[u] == 0 || node[v] == 0 ||
              node[u] + 1 >= size[u] || node[v] + 1 >= size[v])
            continue;
          std::array<std::uint32_t, 3> end = node;
          ++end[axis];
          const bool inside = values[block.at(i, j, k)] < 0.0f;
          if (inside == (values[block.at(end[0], end[1], end[2])] < 0.0f)) continue;
          const auto cell = [&](std::uint32_t du, std::uint32_t dv) {
            std::array<std::uint32_t, 3> c = node;
            c[u] -= du;
            c[v] -= dv;
            return vertexByNode[block.at(c[0], c[1], c[2])];
          };
          // Counter-clockwise seen against the axis.
          const Quad quad = {cell(1, 1), cell(0, 1), cell(0, 0), cell(1, 0)};
          faces.push_back(inside ? quad : Quad{quad[3], quad[2], quad[1], quad[0]});
        }
}

// Moves p onto the cut's zero set, within the surface.
vec3 slideTo(const Field& field, const Field& cut, vec3 p) {
  for (int i = 0; i < 4; ++i) {
    const vec3 normal = glm::normalize(gradient(field, p, kDifference));
    vec3 across = gradient(cut, p, kDifference);
    across -= glm::dot(across, normal) * normal;
    const float squared = glm::dot(across, across);
    if (squared < 1e-4f) break;
    p = projectTo(field, p - cut(p) / squared * across);
  }
  return p;
}

// A mesh while it is being cut.
struct CutMesh {
  std::vector<vec3>& positions;
  std::vector<float> values; // values of the cut at the vertices
  const Field& field;
  const Field& cut;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> splits; // vertex on an edge

  bool crosses(std::uint32_t a, std::uint32_t b) const { return values[a] * values[b] < 0.0f; }
};

// Moves vertices onto the cut that it would otherwise pass too closely.
void snapToCut(CutMesh& mesh, std::span<const Triangle> triangles) {
  constexpr float kNear = 0.3f; // fraction of an edge's length
  auto& values = mesh.values;
  std::vector<bool> snaps(mesh.positions.size(), false);
  for (const Triangle& t : triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i];
      const std::uint32_t b = t[(i + 1) % 3];
      if (!mesh.crosses(a, b)) continue;
      const float at = values[a] / (values[a] - values[b]);
      if (at < kNear) snaps[a] = true;
      if (at > 1.0f - kNear) snaps[b] = true;
    }
  for (std::size_t v = 0; v < snaps.size(); ++v)
    if (snaps[v]) {
      mesh.positions[v] = slideTo(mesh.field, mesh.cut, mesh.positions[v]);
      values[v] = 0.0f;
    }
}

// The vertex where the cut crosses the edge, made on first use; kNone where it does not.
std::uint32_t splitEdge(CutMesh& mesh, std::uint32_t a, std::uint32_t b) {
  if (!mesh.crosses(a, b)) return kNone;
  const auto [low, high] = std::minmax(a, b);
  const auto [found, isNew] =
      mesh.splits.try_emplace({low, high}, static_cast<std::uint32_t>(mesh.positions.size()));
  if (isNew) {
    const float at = mesh.values[low] / (mesh.values[low] - mesh.values[high]);
    const vec3 middle = glm::mix(mesh.positions[low], mesh.positions[high], at);
    mesh.positions.push_back(slideTo(mesh.field, mesh.cut, middle));
    mesh.values.push_back(0.0f);
  }
  return found->second;
}

void appendSplit(CutMesh& mesh, Triangle t, std::vector<Triangle>& out) {
  // Turned so that the edge opposite the first corner is whole; the cut crosses two at most.
  for (int shift = 0; shift < 2 && mesh.crosses(t[1], t[2]); ++shift)
    t = {t[1], t[2], t[0]};
  const auto [a, b, c] = t;
  const std::uint32_t ab = splitEdge(mesh, a, b);
  const std::uint32_t ca = splitEdge(mesh, c, a);
  if (ab != kNone && ca != kNone)
    out.insert(out.end(), {{a, ab, ca}, {ab, b, c}, {ab, c, ca}});
  else if (ab != kNone)
    out.insert(out.end(), {{a, ab, c}, {ab, b, c}});
  else if (ca != kNone)
    out.insert(out.end(), {{a, b, ca}, {b, c, ca}});
  else
    out.push_back(t);
}

} // namespace

float smoothUnion(float a, float b, float radius) {
  const float h = std::max(radius - std::abs(a - b), 0.0f) / radius;
  return std::min(a, b) - 0.25f * h * h * radius;
}

float smoothIntersection(float a, float b, float radius) {
  return -smoothUnion(-a, -b, radius);
}

float ellipsoidField(const vec3& p, const vec3& center, const vec3& radii) {
  const vec3 scaled = (p - center) / radii;
  const float length = glm::length(scaled);
  const float slope = glm::length(scaled / radii);
  return slope > 1e-9f ? length * (length - 1.0f) / slope : -std::min({radii.x, radii.y, radii.z});
}

float taperedCapsule(const vec3& p, const vec3& a, const vec3& b, float radiusA, float radiusB) {
  const vec3 along = b - a;
  const float t = std::clamp(glm::dot(p - a, along) / glm::dot(along, along), 0.0f, 1.0f);
  return glm::length(p - a - t * along) - glm::mix(radiusA, radiusB, t);
}

vec3 gradient(const Field& field, const vec3& p, float step) {
  const vec3 x(step, 0, 0);
  const vec3 y(0, step, 0);
  const vec3 z(0, 0, step);
  return vec3(field(p + x) - field(p - x), field(p + y) - field(p - y),
              field(p + z) - field(p - z)) /
         (2.0f * step);
}

vec3 projectTo(const Field& field, vec3 p) {
  for (int i = 0; i < 3; ++i) {
    const float value = field(p);
    if (std::abs(value) < 1e-5f) break;
    const vec3 slope = gradient(field, p, kDifference);
    p -= value / std::max(glm::dot(slope, slope), 0.1f) * slope;
  }
  return p;
}

Shape surfaceNets(const NodeGrid& grid, const Field& field) {
  const Block block = {grid.x, grid.y, grid.z};
  std::vector<vec3> nodes;
  std::vector<float> values;
  for (std::uint32_t k = 0; k < grid.z; ++k)
    for (std::uint32_t j = 0; j < grid.y; ++j)
      for (std::uint32_t i = 0; i < grid.x; ++i) {
        nodes.push_back(grid.node(i, j, k));
        values.push_back(field(nodes.back()));
      }
  Shape shape;
  std::vector<std::uint32_t> vertexByNode(nodes.size(), kNone);
  vec3 vertex;
  for (std::uint32_t k = 0; k + 1 < grid.z; ++k)
    for (std::uint32_t j = 0; j + 1 < grid.y; ++j)
      for (std::uint32_t i = 0; i + 1 < grid.x; ++i)
        if (cellVertex(block, nodes, values, i, j, k, vertex)) {
          vertexByNode[block.at(i, j, k)] = static_cast<std::uint32_t>(shape.positions.size());
          shape.positions.push_back(vertex);
        }
  shape.texcoords.resize(shape.positions.size(), vec2(0.0f));
  appendFaces(block, values, vertexByNode, shape.faces);
  return shape;
}

void relax(std::vector<vec3>& positions, std::span<const std::vector<std::uint32_t>> neighbours,
           const Field& field, int rounds,
           const std::function<vec3(std::uint32_t, const vec3&)>& keep) {
  std::vector<vec3> moved(positions.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
      vec3 middle(0.0f);
      for (const std::uint32_t n : neighbours[v])
        middle += positions[n];
      middle /= static_cast<float>(neighbours[v].size());
      moved[v] = keep(v, projectTo(field, glm::mix(positions[v], middle, 0.5f)));
    }
    positions.swap(moved);
  }
}

void cutAlong(std::vector<vec3>& positions, std::vector<Triangle>& triangles, const Field& field,
              const Field& cut) {
  CutMesh mesh = {positions, {}, field, cut, {}};
  mesh.values.reserve(positions.size());
  for (const vec3& p : positions)
    mesh.values.push_back(cut(p));
  snapToCut(mesh, triangles);
  std::vector<Triangle> out;
  for (const Triangle& t : triangles)
    appendSplit(mesh, t, out);
  triangles = std::move(out);
}

} // namespace sinew
