// A tree of boxes around triangles, for rays and closest points: what SurfaceRays is made of where
// there is no Embree (src/wasm), and what checks Embree in tests.
#pragma once

#include "core/bounds.h"
#include "core/transform.h"
#include "model/mesh.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// The barycentric coordinates of the point of the triangle a, b, c that is closest to p (Ericson,
// Real-Time Collision Detection, 2005, section 5.1.5).
vec3 closestBarycentric(const vec3& p, const vec3& a, const vec3& b, const vec3& c);

struct TreePoint {
  std::uint32_t triangle = 0;
  vec3 corners{1.0f, 0.0f, 0.0f}; // weights of its corners
};

// Copies its input. Thread-safe for concurrent queries.
class TriangleTree {
 public:
  TriangleTree(std::span<const vec3> positions, std::span<const Triangle> triangles);

  // Whether a triangle, its edges included, is met at origin + t * direction with t in [from, to].
  bool meets(const vec3& origin, const vec3& direction, float from, float to) const;

  // The closest point. Requires at least one triangle.
  TreePoint nearest(const vec3& point) const;

 private:
  // Inner: the next node and `second`. Leaf (count > 0): triangles order_[second, second + count).
  struct Node {
    Bounds box;
    std::uint32_t second = 0;
    std::uint32_t count = 0;
  };
  void build(std::uint32_t first, std::uint32_t last, std::span<const vec3> centers);

  std::vector<vec3> positions_;
  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

} // namespace sinew
