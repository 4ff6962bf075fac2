#include "import/mesh_finish.h"
#include "model/morph_targets.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

namespace sinew {
namespace {

// Triangles around one place beyond which creases are no longer looked for: comparing all pairs
// would be quadratic in what a hostile file can repeat without end.
constexpr std::size_t kMaxAround = 64;

void unshareCorners(Mesh& mesh) {
  std::vector<std::uint32_t> sources;
  for (const Triangle& triangle : mesh.triangles)
    sources.insert(sources.end(), triangle.begin(), triangle.end());
  keepVertices(sources, mesh);
  std::uint32_t corner = 0;
  for (Triangle& triangle : mesh.triangles) {
    triangle = {corner, corner + 1, corner + 2};
    corner += 3;
  }
}

vec3 unitOr(const vec3& v, const vec3& otherwise) {
  const float length = glm::length(v);
  return length > 0.0f && std::isfinite(length) ? v / length : otherwise;
}

// The corners at each corner's place, in their order.
class CornersByPlace {
 public:
  explicit CornersByPlace(std::span<const vec3> positions) : place_(positions.size()) {
    // An open hash table of the places' first corners.
    std::vector<std::uint32_t> table(std::bit_ceil(positions.size() + positions.size() / 4 + 1),
                                     kFree);
    first_.push_back(0);
    for (std::uint32_t corner = 0; corner < positions.size(); ++corner) {
      std::size_t slot = PositionHash()(positions[corner]) & (table.size() - 1);
      while (table[slot] != kFree && positions[table[slot]] != positions[corner])
        slot = (slot + 1) & (table.size() - 1);
      if (table[slot] == kFree) {
        table[slot] = corner;
        place_[corner] = static_cast<std::uint32_t>(first_.size() - 1);
        first_.push_back(0);
      } else {
        place_[corner] = place_[table[slot]];
      }
      ++first_[place_[corner] + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    corners_.resize(positions.size());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t corner = 0; corner < positions.size(); ++corner)
      corners_[next[place_[corner]]++] = corner;
  }

  std::span<const std::uint32_t> at(std::uint32_t corner) const {
    const std::uint32_t place = place_[corner];
    return std::span(corners_).subspan(first_[place], first_[place + 1] - first_[place]);
  }

 private:
  static constexpr std::uint32_t kFree = ~0u;
  std::vector<std::uint32_t> place_;   // per corner
  std::vector<std::uint32_t> first_;   // per place: index into corners_
  std::vector<std::uint32_t> corners_; // by place
};

} // namespace

void makeNormals(Mesh& mesh, float creaseCosine) {
  for (MorphOffsets& morph : mesh.morphs)
    morph.normals.clear(); // they belong to the normals that are replaced
  mesh.normals.clear();
  unshareCorners(mesh);
  const std::size_t count = mesh.triangles.size();
  std::vector<vec3> face(count); // as long as twice the area
  std::vector<vec3> direction(count);
  for (std::uint32_t f = 0; f < count; ++f) {
    const std::size_t first = std::size_t{3} * f;
    const vec3& a = mesh.positions[first];
    face[f] = glm::cross(mesh.positions[first + 1] - a, mesh.positions[first + 2] - a);
    direction[f] = unitOr(face[f], vec3(0.0f));
  }
  const CornersByPlace places(mesh.positions);
  mesh.normals.assign(3 * count, vec3(0.0f));
  for (std::uint32_t corner = 0; corner < 3 * count; ++corner) {
    const std::span<const std::uint32_t> around = places.at(corner);
    const vec3 own = direction[corner / 3];
    vec3 sum(0.0f);
    if (around.size() > kMaxAround)
      sum = face[corner / 3];
    else
      for (const std::uint32_t other : around)
        if (own == vec3(0.0f) || glm::dot(direction[other / 3], own) >= creaseCosine)
          sum += face[other / 3];
    mesh.normals[corner] = unitOr(sum, vec3(0, 1, 0));
  }
}

std::size_t repairNormals(Mesh& mesh) {
  std::vector<vec3> computed;
  std::size_t repaired = 0;
  for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
    const float length = glm::length(mesh.normals[v]);
    if (length > 1e-6f && std::isfinite(length)) {
      mesh.normals[v] /= length;
      continue;
    }
    if (computed.empty()) computed = computeNormals(mesh.positions, mesh.triangles);
    mesh.normals[v] = computed[v];
    ++repaired;
  }
  return repaired;
}

double fractionBehind(const Mesh& mesh) {
  std::size_t behind = 0;
  std::size_t corners = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const vec3 face =
        glm::cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]);
    if (face == vec3(0.0f)) continue;
    for (const std::uint32_t v : {a, b, c}) {
      ++corners;
      if (glm::dot(mesh.normals[v], face) < 0.0f) ++behind;
    }
  }
  return corners > 0 ? static_cast<double>(behind) / static_cast<double>(corners) : 0.0;
}

} // namespace sinew
