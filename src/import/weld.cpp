#include "import/mesh_finish.h"
#include "model/morph_targets.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>

namespace sinew {
namespace {

constexpr float kNear = 1e-5f;
constexpr std::size_t kMaxCandidates = 256;

bool sameInfluences(const Influences& influences, std::size_t a, std::size_t b) {
  if (influences.vertexCount() == 0) return true;
  const auto x = influences.of(a);
  const auto y = influences.of(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const Influence& p, const Influence& q) {
                      return p.joint == q.joint && p.weight == q.weight;
                    });
}

template <class T>
bool near(const std::vector<T>& values, std::size_t a, std::size_t b) {
  return values.empty() || glm::length(values[a] - values[b]) <= kNear;
}

// What morph targets do to each vertex: indices of Mesh::morphs and of their entries.
struct MorphEntry {
  std::uint32_t morph = 0;
  std::uint32_t entry = 0;
};
using MorphEntries = Lists<MorphEntry>;

MorphEntries morphEntries(const Mesh& mesh) {
  return gatherLists<MorphEntry>(mesh.positions.size(), [&](const auto& each) {
    for (std::uint32_t m = 0; m < mesh.morphs.size(); ++m)
      for (std::uint32_t i = 0; i < mesh.morphs[m].vertices.size(); ++i)
        each(mesh.morphs[m].vertices[i], {m, i});
  });
}

bool sameOffsets(const Mesh& mesh, const MorphEntries& entries, std::size_t a, std::size_t b) {
  const auto x = entries.of(a);
  const auto y = entries.of(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [&](const MorphEntry& p, const MorphEntry& q) {
                      if (p.morph != q.morph) return false;
                      const MorphOffsets& morph = mesh.morphs[p.morph];
                      return morph.positions[p.entry] == morph.positions[q.entry] &&
                             near(morph.normals, p.entry, q.entry);
                    });
}

bool sameVertex(const Mesh& mesh, const MorphEntries& morphs, std::size_t a, std::size_t b) {
  return mesh.positions[a] == mesh.positions[b] && near(mesh.normals, a, b) &&
         near(mesh.tangents, a, b) && near(mesh.texcoords, a, b) && near(mesh.texcoords1, a, b) &&
         near(mesh.colors, a, b) && near(mesh.dualQuaternionShares, a, b) &&
         sameInfluences(mesh.influences, a, b) && sameInfluences(mesh.splineInfluences, a, b) &&
         sameOffsets(mesh, morphs, a, b);
}

template <class T>
void keepOnly(std::vector<T>& values, const std::vector<std::uint32_t>& sources) {
  if (values.empty()) return;
  std::vector<T> out;
  out.reserve(sources.size());
  for (const std::uint32_t v : sources)
    out.push_back(values[v]);
  values = std::move(out);
}

void keepOnly(Influences& influences, const std::vector<std::uint32_t>& sources) {
  if (influences.vertexCount() == 0) return;
  Influences out;
  out.offsets.reserve(sources.size() + 1);
  out.values.reserve(influences.values.size());
  for (const std::uint32_t v : sources)
    out.append(influences.of(v));
  influences = std::move(out);
}

// Vertices by position: a table of chains, each in the order in which its vertices came. Chains of
// a hostile file may be long: past kMaxCandidates a vertex is neither compared nor entered.
class PositionTable {
 public:
  explicit PositionTable(std::size_t vertices)
      : first_(std::bit_ceil(vertices + 1), kNone), next_(vertices, kNone) {}

  // The first vertex of the position's chain for which `same` holds, or `vertex`, which is entered.
  template <class Same>
  std::uint32_t findOrInsert(const vec3& position, std::uint32_t vertex, const Same& same) {
    std::uint32_t* link = &first_[PositionHash()(position) & (first_.size() - 1)];
    for (std::size_t i = 0; *link != kNone; ++i, link = &next_[*link]) {
      if (i == kMaxCandidates) return vertex;
      if (same(*link)) return *link;
    }
    *link = vertex;
    return vertex;
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> next_; // by vertex
};

} // namespace

void keepVertices(const std::vector<std::uint32_t>& sources, Mesh& mesh) {
  keepVertices(mesh.morphs, sources, mesh.positions.size());
  keepOnly(mesh.positions, sources);
  keepOnly(mesh.normals, sources);
  keepOnly(mesh.tangents, sources);
  keepOnly(mesh.texcoords, sources);
  keepOnly(mesh.texcoords1, sources);
  keepOnly(mesh.colors, sources);
  keepOnly(mesh.dualQuaternionShares, sources);
  keepOnly(mesh.influences, sources);
  keepOnly(mesh.splineInfluences, sources);
}

std::vector<std::uint32_t> weldVertices(Mesh& mesh) {
  std::vector<char> used(mesh.positions.size(), 0);
  for (const Triangle& triangle : mesh.triangles)
    for (const std::uint32_t v : triangle)
      used[v] = 1;

  const MorphEntries morphs = morphEntries(mesh);
  std::vector<std::uint32_t> remaining;
  remaining.reserve(mesh.positions.size());
  std::vector<std::uint32_t> newIndex(mesh.positions.size(), kDroppedVertex);
  PositionTable table(mesh.positions.size());
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    if (!used[v]) continue;
    const std::uint32_t same = table.findOrInsert(mesh.positions[v], v, [&](std::uint32_t other) {
      return sameVertex(mesh, morphs, other, v);
    });
    if (same != v) {
      newIndex[v] = newIndex[same];
      continue;
    }
    newIndex[v] = static_cast<std::uint32_t>(remaining.size());
    remaining.push_back(v);
  }
  if (mesh.morphs.empty() && remaining.size() == mesh.positions.size()) return newIndex;

  keepVertices(remaining, mesh);
  for (Triangle& triangle : mesh.triangles)
    for (std::uint32_t& v : triangle)
      v = newIndex[v];
  return newIndex;
}

} // namespace sinew
