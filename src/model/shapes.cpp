#include "model/shapes.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

namespace sinew {
namespace {

// 0 .. 1 .. 0 around the tube.
float mirrored(std::uint32_t corner, std::uint32_t corners) {
  return 1.0f - std::abs(2.0f * static_cast<float>(corner) / static_cast<float>(corners) - 1.0f);
}

// Place of point (i, j) of a grid of m x n cells on the unit disc: its distance from the middle,
// and its angle, which runs evenly along the rim.
struct DiscPoint {
  float radius;
  float angle;
};

DiscPoint squareToDisc(std::uint32_t i, std::uint32_t j, std::uint32_t m, std::uint32_t n) {
  const float a = 2.0f * static_cast<float>(i) / static_cast<float>(m) - 1.0f;
  const float b = 2.0f * static_cast<float>(j) / static_cast<float>(n) - 1.0f;
  const float radius = std::max(std::abs(a), std::abs(b));
  if (radius == 0.0f) return {0.0f, 0.0f};
  const float x = a / radius;
  const float y = b / radius;
  // Quarter circles from the middle of the first side; each side of the square spans one.
  float quarters = 0.0f;
  if (x >= 1.0f)
    quarters = 0.5f * y;
  else if (y >= 1.0f)
    quarters = 1.0f - 0.5f * x;
  else if (x <= -1.0f)
    quarters = 2.0f - 0.5f * y;
  else
    quarters = 3.0f + 0.5f * x;
  return {radius, quarters * glm::half_pi<float>()};
}

vec3 onRing(const Ring& ring, float angle) {
  return ring.center + std::cos(angle) * ring.u + std::sin(angle) * ring.v;
}

std::uint32_t tubeVertex(const Patch& patch, std::uint32_t ring, std::uint32_t segment) {
  return 1 + (patch.firstRing + ring) * patch.tubeSegments +
         (patch.firstSegment + segment) % patch.tubeSegments;
}

// Grid places (segment, ring) of the patch's rim, counter-clockwise seen from outside.
std::vector<std::array<std::uint32_t, 2>> listRim(const Patch& patch) {
  std::vector<std::array<std::uint32_t, 2>> rim;
  for (std::uint32_t i = 0; i < patch.segments; ++i)
    rim.push_back({i, 0});
  for (std::uint32_t j = 0; j < patch.rings; ++j)
    rim.push_back({patch.segments, j});
  for (std::uint32_t i = patch.segments; i > 0; --i)
    rim.push_back({i, patch.rings});
  for (std::uint32_t j = patch.rings; j > 0; --j)
    rim.push_back({0, j});
  return rim;
}

// Spreads the inner vertices of the patch over the dome.
void moveToDome(Shape& shape, const Patch& patch, const Ring& last, float dome) {
  const vec3 axis = glm::normalize(glm::cross(last.u, last.v));
  for (std::uint32_t j = 1; j < patch.rings; ++j)
    for (std::uint32_t i = 1; i < patch.segments; ++i) {
      const auto [radius, angle] = squareToDisc(i, j, patch.segments, patch.rings);
      // Even steps of arc from rim to top.
      const float arc = radius * glm::half_pi<float>();
      shape.positions[tubeVertex(patch, j, i)] =
          last.center + std::cos(arc) * dome * axis +
          std::sin(arc) * (onRing(last, angle) - last.center);
    }
}

// The patch's own faces leave its rim for the loop of new vertices that starts at firstOfLoop.
void attachPatch(Shape& shape, const Patch& patch, std::uint32_t firstOfLoop) {
  const auto rim = listRim(patch);
  std::map<std::uint32_t, std::uint32_t> moved;
  for (std::uint32_t k = 0; k < rim.size(); ++k)
    moved.emplace(tubeVertex(patch, rim[k][1], rim[k][0]), firstOfLoop + k);
  const auto inPatch = [&](const Quad& face) {
    for (std::uint32_t j = 0; j < patch.rings; ++j)
      for (std::uint32_t i = 0; i < patch.segments; ++i)
        if (face[0] == tubeVertex(patch, j, i) && face[2] == tubeVertex(patch, j + 1, i + 1))
          return true;
    return false;
  };
  for (Quad& face : shape.faces)
    if (inPatch(face))
      for (std::uint32_t& corner : face)
        if (const auto found = moved.find(corner); found != moved.end()) corner = found->second;
}

} // namespace

Shape sweep(const vec3& start, std::span<const Ring> rings, const vec3& end,
            std::uint32_t segments) {
  assert(segments >= 3 && !rings.empty());
  std::vector<float> along = {0.0f};
  vec3 last = start;
  for (const Ring& ring : rings) {
    along.push_back(along.back() + glm::length(ring.center - last));
    last = ring.center;
  }
  along.push_back(along.back() + glm::length(end - last));

  Shape shape;
  shape.positions.push_back(start);
  shape.texcoords.emplace_back(0.5f, 0.0f);
  for (std::size_t r = 0; r < rings.size(); ++r)
    for (std::uint32_t k = 0; k < segments; ++k) {
      const float angle =
          glm::two_pi<float>() * static_cast<float>(k) / static_cast<float>(segments);
      shape.positions.push_back(onRing(rings[r], angle));
      shape.texcoords.emplace_back(mirrored(k, segments), along[r + 1] / along.back());
    }
  shape.positions.push_back(end);
  shape.texcoords.emplace_back(0.5f, 1.0f);

  const auto ringCount = static_cast<std::uint32_t>(rings.size());
  const auto vertex = [&](std::uint32_t r, std::uint32_t k) {
    return 1 + r * segments + k % segments;
  };
  const std::uint32_t endVertex = 1 + ringCount * segments;
  for (std::uint32_t k = 0; k < segments; ++k) {
    shape.faces.push_back({0, vertex(0, k + 1), vertex(0, k), vertex(0, k)});
    for (std::uint32_t r = 0; r + 1 < ringCount; ++r)
      shape.faces.push_back(
          {vertex(r, k), vertex(r, k + 1), vertex(r + 1, k + 1), vertex(r + 1, k)});
    const std::uint32_t r = ringCount - 1;
    shape.faces.push_back({vertex(r, k), vertex(r, k + 1), endVertex, endVertex});
  }
  return shape;
}

Shape ellipsoid(const vec3& center, const vec3& radii, std::uint32_t segments,
                std::uint32_t rings) {
  std::vector<Ring> list;
  for (std::uint32_t r = 1; r <= rings; ++r) {
    const float angle = glm::pi<float>() * static_cast<float>(r) / static_cast<float>(rings + 1);
    const float across = std::sin(angle);
    list.push_back({center - vec3(0, radii.y * std::cos(angle), 0), vec3(radii.x * across, 0, 0),
                    vec3(0, 0, -radii.z * across)});
  }
  return sweep(center - vec3(0, radii.y, 0), list, center + vec3(0, radii.y, 0), segments);
}

std::uint32_t growLimb(Shape& shape, const Patch& patch, std::span<const Ring> loops, float dome) {
  assert(!loops.empty() && patch.rings > 0 && patch.segments > 0);
  const auto rim = listRim(patch);
  const auto count = static_cast<std::uint32_t>(rim.size());
  const auto first = static_cast<std::uint32_t>(shape.positions.size());
  for (const Ring& loop : loops)
    for (const auto& [i, j] : rim) {
      shape.positions.push_back(
          onRing(loop, squareToDisc(i, j, patch.segments, patch.rings).angle));
      shape.texcoords.push_back(shape.texcoords[tubeVertex(patch, j, i)]);
    }
  attachPatch(shape, patch, first + static_cast<std::uint32_t>(loops.size() - 1) * count);

  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t next = (k + 1) % count;
    std::uint32_t a = tubeVertex(patch, rim[k][1], rim[k][0]);
    std::uint32_t b = tubeVertex(patch, rim[next][1], rim[next][0]);
    for (std::uint32_t l = 0; l < loops.size(); ++l) {
      const std::uint32_t base = first + l * count;
      shape.faces.push_back({a, b, base + next, base + k});
      a = base + k;
      b = base + next;
    }
  }
  moveToDome(shape, patch, loops.back(), dome);
  return first;
}

std::vector<Triangle> triangulate(const Shape& shape) {
  std::vector<Triangle> triangles;
  const auto& p = shape.positions;
  for (const auto& [a, b, c, d] : shape.faces) {
    if (c == d) {
      triangles.push_back({a, b, c});
    } else if (glm::length(p[c] - p[a]) <= glm::length(p[d] - p[b])) {
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    } else {
      triangles.push_back({a, b, d});
      triangles.push_back({b, c, d});
    }
  }
  return triangles;
}

Mesh toMesh(const Shape& shape, std::string name) {
  Mesh mesh;
  mesh.name = std::move(name);
  mesh.positions = shape.positions;
  mesh.texcoords = shape.texcoords;
  mesh.triangles = triangulate(shape);
  mesh.normals = computeNormals(mesh.positions, mesh.triangles);
  return mesh;
}

void append(Shape& shape, const Shape& other) {
  const auto first = static_cast<std::uint32_t>(shape.positions.size());
  shape.positions.insert(shape.positions.end(), other.positions.begin(), other.positions.end());
  shape.texcoords.insert(shape.texcoords.end(), other.texcoords.begin(), other.texcoords.end());
  for (const auto& [a, b, c, d] : other.faces)
    shape.faces.push_back({first + a, first + b, first + c, first + d});
}

std::vector<std::vector<std::uint32_t>> neighbours(std::size_t vertexCount,
                                                   std::span<const Triangle> triangles) {
  std::vector<std::vector<std::uint32_t>> lists(vertexCount);
  for (const Triangle& triangle : triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      lists[triangle[i]].push_back(triangle[(i + 1) % 3]);
      lists[triangle[i]].push_back(triangle[(i + 2) % 3]);
    }
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

float curveThrough(std::span<const vec2> knots, float x) {
  assert(!knots.empty());
  if (x <= knots.front().x) return knots.front().y;
  if (x >= knots.back().x) return knots.back().y;
  std::size_t i = 0;
  while (knots[i + 1].x < x)
    ++i;
  const auto slope = [&](std::size_t k) {
    return (knots[k + 1].y - knots[k].y) / (knots[k + 1].x - knots[k].x);
  };
  // The harmonic mean of the slopes on both sides, none at a turning point or an end.
  const auto tangent = [&](std::size_t k) {
    if (k == 0 || k + 1 == knots.size()) return 0.0f;
    const float a = slope(k - 1);
    const float b = slope(k);
    return a * b <= 0.0f ? 0.0f : 2.0f * a * b / (a + b);
  };
  const float width = knots[i + 1].x - knots[i].x;
  const float t = (x - knots[i].x) / width;
  const float t2 = t * t;
  const float t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * knots[i].y + (t3 - 2 * t2 + t) * width * tangent(i) +
         (3 * t2 - 2 * t3) * knots[i + 1].y + (t3 - t2) * width * tangent(i + 1);
}

} // namespace sinew
