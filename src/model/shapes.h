// Closed surfaces made by code: tubes, ellipsoids, limbs grown out of other surfaces.
//
// All are welded (every vertex exists once), 2-manifold and wound counter-clockwise seen from
// outside. Texture coordinates run forth and back around a tube, so that no seam is needed.
#pragma once

#include "model/mesh.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// Counter-clockwise corners; a triangle repeats its last corner.
using Quad = std::array<std::uint32_t, 4>;

struct Shape {
  std::vector<vec3> positions;
  std::vector<vec2> texcoords; // one per position
  std::vector<Quad> faces;
};

// An elliptical cross-section: center + u cos(angle) + v sin(angle). u x v points along the tube.
struct Ring {
  vec3 center{0.0f};
  vec3 u{0.0f};
  vec3 v{0.0f};
};

// A tube through the rings with a vertex at `start` and one at `end` closing it. Vertex 0 is the
// start, vertex 1 + r * segments + k is corner k of ring r, the last vertex is the end. The texture
// runs from 0 to 1 along the tube's length.
Shape sweep(const vec3& start, std::span<const Ring> rings, const vec3& end,
            std::uint32_t segments);

Shape ellipsoid(const vec3& center, const vec3& radii, std::uint32_t segments, std::uint32_t rings);

// A block of a swept tube's faces: `rings` of them along the tube and `segments` around it, the
// first between rings firstRing and firstRing + 1. Segments wrap around.
struct Patch {
  std::uint32_t tubeSegments = 0;
  std::uint32_t firstRing = 0, rings = 0;
  std::uint32_t firstSegment = 0, segments = 0;
};

// Grows a limb out of the patch: its rim is joined to the loops one after another, each with as
// many vertices as the rim, and the patch itself, stretched over a dome of the given height, closes
// the last one. A loop's u lies along the patch's segments, its v along its rings. Returns the
// index of the first new vertex; loop i starts at that + i * 2 * (rings + segments).
std::uint32_t growLimb(Shape& shape, const Patch& patch, std::span<const Ring> loops, float dome);

// Each quad split along its shorter diagonal.
std::vector<Triangle> triangulate(const Shape& shape);

// The triangles with area-weighted normals; no skin.
Mesh toMesh(const Shape& shape, std::string name);

void append(Shape& shape, const Shape& other);

// Vertices that share an edge, per vertex, ascending.
std::vector<std::vector<std::uint32_t>> neighbours(std::size_t vertexCount,
                                                   std::span<const Triangle> triangles);

// A curve through knots (x ascending, y), smooth and without overshoot beyond the knots' own
// (Fritsch and Carlson 1980); constant outside.
float curveThrough(std::span<const vec2> knots, float x);

} // namespace sinew
