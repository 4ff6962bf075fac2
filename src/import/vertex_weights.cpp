#include "import/vertex_weights.h"

#include "core/lists.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace sinew {
namespace {

std::vector<std::vector<std::uint32_t>> connect(const Mesh& mesh) {
  std::vector<std::vector<std::uint32_t>> neighbours(mesh.positions.size());
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    join(a, b);
    join(b, c);
    join(c, a);
  }
  std::unordered_map<std::string_view, std::uint32_t> firstAt;
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    const auto* bytes = reinterpret_cast<const char*>(&mesh.positions[v]);
    const auto [place, isNew] = firstAt.emplace(std::string_view(bytes, sizeof(vec3)), v);
    if (!isNew) join(place->second, v);
  }
  return neighbours;
}

} // namespace

void tidyInfluences(std::vector<Influence>& vertex, RepairLog& repairs) {
  sortFewStably(vertex, [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
  std::size_t count = 0;
  for (std::size_t i = 0; i < vertex.size(); ++i) {
    if (count > 0 && vertex[count - 1].joint == vertex[i].joint) {
      vertex[count - 1].weight += vertex[i].weight;
      repairs.add(Repair::influenceDuplicate);
    } else {
      vertex[count++] = vertex[i];
    }
  }
  vertex.resize(count);
  double sum = 0.0;
  for (const Influence& influence : vertex)
    sum += influence.weight;
  if (vertex.empty()) return;
  if (std::abs(sum - 1.0) > 2e-3) repairs.add(Repair::weightSum);
  for (Influence& influence : vertex)
    influence.weight = static_cast<float>(influence.weight / sum);
  sortFewStably(vertex, [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
}

void bindUnweighted(const Mesh& mesh, std::vector<std::vector<Influence>>& vertices,
                    const std::function<std::uint32_t()>& fallbackJoint, RepairLog& repairs) {
  std::vector<std::uint32_t> open;
  std::size_t missing = 0;
  for (std::uint32_t v = 0; v < vertices.size(); ++v)
    if (vertices[v].empty())
      ++missing;
    else
      open.push_back(v);
  if (missing == 0) return;
  const std::vector<std::vector<std::uint32_t>> neighbours = connect(mesh);
  for (std::size_t next = 0; next < open.size(); ++next)
    for (const std::uint32_t v : neighbours[open[next]])
      if (vertices[v].empty()) {
        vertices[v] = vertices[open[next]];
        open.push_back(v);
        --missing;
        repairs.add(Repair::vertexWithoutWeights);
      }
  if (missing == 0) return;
  const std::uint32_t joint = fallbackJoint();
  for (std::vector<Influence>& vertex : vertices)
    if (vertex.empty()) vertex.push_back({joint, 1.0f});
  repairs.add(Repair::componentWithoutWeights, missing);
}

bool isSingular(const mat4& m) {
  if (!isFinite(m)) return true;
  const glm::mat3 a(m);
  const float size = std::max({glm::length(a[0]), glm::length(a[1]), glm::length(a[2])});
  // The volume of the box that a unit cube becomes, against that of the cube of its longest side.
  return size == 0.0f || std::abs(glm::determinant(a / size)) < 1e-7f;
}

} // namespace sinew
