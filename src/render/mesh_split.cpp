#include "render/mesh_split.h"

#include "render/entry_batches.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>

namespace sinew {
namespace {

// What is put into a batch as a whole: a triangle, or a vertex that is in none (three times).
using Unit = Triangle;
bool isLoneVertex(const Unit& unit) {
  return unit[0] == unit[1] && unit[1] == unit[2];
}

// Units drawn together: the cheapest form of the binding that serves all of them, and a material.
struct UnitGroup {
  std::uint32_t form = 0;
  std::uint32_t material = 0;
  std::vector<Unit> units;
};

// The form that these vertices need: the largest that one of them needs.
std::uint32_t chooseForm(const Binding& binding, const Unit& unit) {
  std::uint32_t form = 0;
  for (const std::uint32_t v : unit)
    form = std::max(form, std::uint32_t{binding.formByVertex[v]});
  return form;
}

// The costs of a vertex and of a group, for forms that blend one to four influences. The unit is
// the cost of a vertex that is not skinned (docs/benchmarks.md).
double estimateCost(const BindingForm& form) {
  return 1.0 + 0.15 * form.influences;
}
constexpr double kGroupCost = 10.0;

// The form to draw by, for each form that is needed. A vertex between groups is drawn by all of
// them, so a larger form may be cheaper. Chooses the cheapest among forms of up to four influences.
std::vector<std::uint32_t> formsToDraw(const Rig& rig, const Binding& binding) {
  const std::vector<BindingForm> forms = listForms(binding);
  std::vector<std::uint32_t> drawnBy(forms.size());
  std::iota(drawnBy.begin(), drawnBy.end(), 0u);
  const auto isSmall = [](const BindingForm& f) { return f.influences <= 4 && f.attachments == 0; };
  const auto small =
      static_cast<std::size_t>(std::ranges::find_if_not(forms, isSmall) - forms.begin());
  if (small < 2) return drawnBy;
  std::vector<unsigned> needed(rig.positions.size(), 0); // forms of its triangles, a bit each
  for (const Triangle& triangle : rig.triangles)
    for (const std::uint32_t v : triangle)
      needed[v] |= 1u << chooseForm(binding, triangle);
  const unsigned all = (1u << small) - 1;
  std::vector<std::size_t> vertices(all + 1, 0);
  for (const unsigned bits : needed)
    ++vertices[bits & all];

  const std::vector<std::uint32_t> own = drawnBy;
  double least = std::numeric_limits<double>::max();
  for (unsigned chosen = 1u << (small - 1); chosen <= all; ++chosen) { // always with the last
    std::vector<std::uint32_t> by = own;
    for (std::size_t f = small - 1; f-- > 0;)
      if ((chosen >> f & 1u) == 0) by[f] = by[f + 1];
    std::vector<std::size_t> drawn(small, 0);
    for (unsigned bits = 1; bits <= all; ++bits) {
      unsigned groups = 0;
      for (std::size_t f = 0; f < small; ++f)
        groups |= (bits >> f & 1u) << by[f];
      for (std::size_t f = 0; f < small; ++f)
        if ((groups >> f & 1u) != 0) drawn[f] += vertices[bits];
    }
    double cost = 0.0;
    for (std::size_t f = 0; f < small; ++f)
      if (drawn[f] > 0)
        cost += (static_cast<double>(drawn[f]) + kGroupCost) * estimateCost(forms[f]);
    if (cost >= least) continue;
    least = cost;
    drawnBy = by;
  }
  return drawnBy;
}

// Groups by form, then by material in the order of the material's first mesh.
std::vector<UnitGroup> groupUnits(const Rig& rig, const Binding& binding) {
  const std::vector<std::uint32_t> drawnBy = formsToDraw(rig, binding);
  const std::size_t forms = drawnBy.size();
  std::vector<std::vector<UnitGroup>> byForm(forms);
  std::map<std::uint32_t, std::size_t> placeByMaterial; // index into a form's groups
  std::vector<bool> used(rig.positions.size(), false);
  const auto add = [&](std::size_t place, const Unit& unit) {
    const std::uint32_t form = forms > 1 ? drawnBy[chooseForm(binding, unit)] : 0;
    byForm[form][place].units.push_back(unit);
  };
  for (const RigMesh& mesh : rig.meshes) {
    const auto [place, isNew] = placeByMaterial.emplace(mesh.material, placeByMaterial.size());
    if (isNew)
      for (std::uint32_t form = 0; form < forms; ++form)
        byForm[form].push_back({form, mesh.material, {}});
    if (isNew && forms == 1) byForm[0].back().units.reserve(mesh.triangleCount);
    for (std::uint32_t t = mesh.firstTriangle; t < mesh.firstTriangle + mesh.triangleCount; ++t) {
      const Triangle& triangle = rig.triangles[t];
      for (const std::uint32_t v : triangle)
        used[v] = true;
      add(place->second, triangle);
    }
    for (std::uint32_t v = mesh.firstVertex; v < mesh.firstVertex + mesh.vertexCount; ++v)
      if (!used[v]) add(place->second, {v, v, v});
  }
  std::vector<UnitGroup> groups;
  for (std::vector<UnitGroup>& form : byForm)
    for (UnitGroup& group : form)
      if (!group.units.empty()) groups.push_back(std::move(group));
  return groups;
}

// meshopt_optimizeVertexCache() looks at all triangles of a vertex for each of them. A mesh in
// which that would take long, a fan of many thousand, gets the order of a simpler cache; so does a
// large one, where that takes a third of the time and shades no more vertices: 0.60 a triangle of a
// grid of two million, in place of 0.63.
void orderTriangles(std::vector<std::uint32_t>& indices, std::size_t vertices) {
  std::vector<std::uint64_t> trianglesByVertex(vertices, 0);
  for (const std::uint32_t index : indices)
    ++trianglesByVertex[index];
  std::uint64_t looks = 0;
  for (const std::uint64_t count : trianglesByVertex)
    looks += count * count;
  constexpr std::size_t kLarge = 600'000;    // indices
  constexpr std::uint64_t kUsualLooks = 100; // per index; closed meshes need far fewer
  constexpr std::uint64_t kQuickLooks = 10'000'000;
  if (indices.size() < kLarge && looks <= kQuickLooks + kUsualLooks * indices.size()) {
    meshopt_optimizeVertexCache(indices.data(), indices.data(), indices.size(), vertices);
    return;
  }
  constexpr unsigned kCacheSize = 16;
  const std::vector<std::uint32_t> source = indices;
  meshopt_optimizeVertexCacheFifo(indices.data(), source.data(), source.size(), vertices,
                                  kCacheSize);
}

// Appends a batch of these units: local indices, ordered so that the GPU transforms each vertex
// about once, and vertices in the order the indices first ask for them.
void appendBatch(const UnitGroup& group, const std::vector<Unit>& units,
                 std::vector<std::uint32_t>&& entries, std::vector<std::uint32_t>& localByVertex,
                 MeshSplit& split) {
  MeshBatch batch;
  batch.form = group.form;
  batch.material = group.material;
  batch.entries = std::move(entries);
  batch.firstVertex = static_cast<std::uint32_t>(split.sourceVertex.size());
  batch.firstIndex = static_cast<std::uint32_t>(split.indices.size());

  std::vector<std::uint32_t> source;
  std::vector<std::uint32_t> indices;
  indices.reserve(3 * units.size());
  for (const Unit& unit : units)
    for (const std::uint32_t v : unit) {
      if (localByVertex[v] == kNoNode) {
        localByVertex[v] = static_cast<std::uint32_t>(source.size());
        source.push_back(v);
      }
      if (!isLoneVertex(unit)) indices.push_back(localByVertex[v]);
    }
  for (const std::uint32_t v : source)
    localByVertex[v] = kNoNode;

  orderTriangles(indices, source.size());
  std::vector<std::uint32_t> order(source.size());
  std::size_t next =
      meshopt_optimizeVertexFetchRemap(order.data(), indices.data(), indices.size(), source.size());
  for (std::uint32_t& place : order) // lone vertices follow
    if (place == ~0u) place = static_cast<std::uint32_t>(next++);

  split.sourceVertex.resize(split.sourceVertex.size() + source.size());
  for (std::size_t i = 0; i < source.size(); ++i)
    split.sourceVertex[batch.firstVertex + order[i]] = source[i];
  for (const std::uint32_t index : indices)
    split.indices.push_back(order[index]);
  batch.vertexCount = static_cast<std::uint32_t>(source.size());
  batch.indexCount = static_cast<std::uint32_t>(indices.size());
  split.batches.push_back(std::move(batch));
}

void appendValues(const Attribute& attribute, std::span<const std::uint32_t> sources,
                  Attribute& out) {
  const std::size_t size = byteSize(attribute.format);
  out.data.resize(out.data.size() + sources.size() * size);
  std::byte* to = out.data.data() + out.data.size() - sources.size() * size;
  for (const std::uint32_t source : sources) {
    std::memcpy(to, attribute.data.data() + source * size, size);
    to += size;
  }
}

// Appends palette entries as their indices among those of the batch.
void appendLocal(const Attribute& attribute, std::span<const std::uint32_t> sources,
                 std::span<const std::uint32_t> batchEntries, Attribute& out) {
  for (const std::uint32_t source : sources) {
    glm::uvec4 entries = readUint(attribute, source);
    for (int c = 0; c < 4; ++c)
      entries[c] = static_cast<std::uint32_t>(std::ranges::lower_bound(batchEntries, entries[c]) -
                                              batchEntries.begin());
    append(out, entries);
  }
}

} // namespace

MeshSplit splitMesh(const Rig& rig, const Binding& binding, std::uint32_t entryCapacity) {
  MeshSplit split;
  split.indices.reserve(3 * rig.triangles.size());
  std::vector<std::uint32_t> localByVertex(rig.positions.size(), kNoNode);
  const VertexEntries vertexEntries(binding);
  const bool whole = entryCapacity >= binding.entryCount;
  for (UnitGroup& group : groupUnits(rig, binding)) {
    if (whole) {
      appendBatch(group, group.units, {}, localByVertex, split);
      continue;
    }
    while (!group.units.empty()) {
      EntrySet entries(binding.entryCount, entryCapacity);
      const std::vector<Unit> batch = takeBatch(group.units, vertexEntries, entryCapacity, entries);
      appendBatch(group, batch, entries.ascending(), localByVertex, split);
    }
  }
  return split;
}

Attribute inDrawOrder(const Attribute& attribute, const MeshSplit& split,
                      std::span<const MeshBatch> batches) {
  Attribute out{attribute.name, attribute.format, attribute.palette, {}};
  const std::size_t size = byteSize(attribute.format);
  std::size_t vertices = 0;
  for (const MeshBatch& batch : batches)
    vertices += batch.vertexCount;
  out.data.reserve(vertices * size);
  for (const MeshBatch& batch : batches) {
    const auto sources =
        std::span(split.sourceVertex).subspan(batch.firstVertex, batch.vertexCount);
    if (attribute.palette && !batch.entries.empty())
      appendLocal(attribute, sources, batch.entries, out);
    else
      appendValues(attribute, sources, out);
  }
  return out;
}

} // namespace sinew
