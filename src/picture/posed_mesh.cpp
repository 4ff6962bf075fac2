#include "picture/posed_mesh.h"

#include "core/error.h"
#include "gl/load.h"
#include "render/compute_skin.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sinew {
namespace {

std::vector<std::span<const std::uint32_t>> listParts(const MeshSplit& split) {
  std::vector<std::span<const std::uint32_t>> parts;
  for (const MeshBatch& batch : split.batches)
    parts.push_back(std::span(split.sourceVertex).subspan(batch.firstVertex, batch.vertexCount));
  return parts;
}

// Vertices in the order in which the CPU poses them, a part for each batch.
void reorder(const CpuSkin& skin, std::size_t rigVertices, MeshSplit& split) {
  std::vector<std::uint32_t> placeByVertex(rigVertices);
  std::size_t begin = 0;
  for (std::size_t b = 0; b < split.batches.size(); ++b) {
    MeshBatch& batch = split.batches[b];
    const std::size_t end = skin.partEnds()[b];
    for (std::size_t i = end; i-- > begin;)
      placeByVertex[skin.source()[i]] = static_cast<std::uint32_t>(i - begin);
    for (std::uint32_t i = batch.firstIndex; i < batch.firstIndex + batch.indexCount; ++i)
      split.indices[i] = placeByVertex[split.sourceVertex[batch.firstVertex + split.indices[i]]];
    batch.firstVertex = static_cast<std::uint32_t>(begin);
    batch.vertexCount = static_cast<std::uint32_t>(end - begin);
    begin = end;
  }
}

MeshSplit posedLayout(const CpuSkin& skin, std::size_t rigVertices, MeshSplit split) {
  reorder(skin, rigVertices, split);
  split.sourceVertex.assign(skin.source().begin(), skin.source().end());
  return split;
}

// The bind vertices of the weights; nothing where the skin shows them already.
void showMorphs(Posing& posing, const Rig& rig, const MorphedVertices& morphed,
                const Binding& binding) {
  const bool atRest = std::ranges::all_of(morphed.weights, [](float w) { return w == 0.0f; });
  const std::vector<float> weights = atRest ? std::vector<float>() : morphed.weights;
  if (weights == posing.morphWeights) return;
  posing.onCpu->setBind(BindVertices(rig, morphed), binding);
  posing.morphWeights = weights;
}

// Calls show(member, morphed vertices, binding) for every member that has morph weights.
template <class Show>
void forEachMorphed(const Workbench& workbench, const BoundMethod& bound, const Crowd& crowd,
                    const Show& show) {
  MorphedVertices morphed; // reused from one member to the next
  std::optional<MorphedBinding> cached;
  for (std::size_t i = 0; i < crowd.morphWeights.size(); ++i) {
    applyMorphs(workbench.rig, crowd.morphWeights[i], morphed);
    show(i, morphed, morphBinding(*bound.method, workbench.rig, bound.binding, morphed, cached));
  }
}

// The part of the arrays for one character; each has `each` vertices.
PosedArrays sliceCharacter(const PosedArrays& all, std::size_t each, std::size_t character) {
  PosedArrays out = all;
  out.positions = all.positions.subspan(character * each, each);
  out.normals = all.normals.subspan(character * each, each);
  if (!all.tangents.empty()) out.tangents = all.tangents.subspan(character * each, each);
  return out;
}

Workers& getWorkers(PosingTools& tools) {
  if (!tools.workers) tools.workers = std::make_unique<Workers>();
  return *tools.workers;
}

PosedMesh computedMesh(std::shared_ptr<const GpuMaterials> materials, const Rig& rig,
                       const BoundMethod& bound, GpuMeshOptions options) {
  if (!hasCompute())
    throw graphicsError("--skin-on compute needs OpenGL 4.3; this driver has " + glInfo().version,
                        "use --skin-on vertex-shader or cpu");
  options.compute = true;
  auto posing = std::make_unique<Posing>();
  posing->computed.emplace(std::move(materials), rig, *bound.method, bound.binding, options);
  GpuMesh drawn = makeDrawnMesh(*posing->computed, rig);
  return {std::move(drawn), std::move(posing)};
}

} // namespace

std::span<const SkinOn> availableSkinOn() {
  static constexpr std::array kAll{SkinOn::vertexShader, SkinOn::cpu, SkinOn::compute};
  return std::span(kAll).first(hasCompute() ? 3 : 2);
}

PosedMesh makePosedMesh(std::shared_ptr<const GpuMaterials> materials, const Rig& rig,
                        const BoundMethod& bound, const GpuMeshOptions& options, SkinOn skinOn) {
  if (skinOn == SkinOn::compute) return computedMesh(std::move(materials), rig, bound, options);
  if (skinOn != SkinOn::cpu)
    return {GpuMesh(std::move(materials), rig, *bound.method, bound.binding, options), nullptr};
  MeshSplit split = splitMesh(rig, staticMethod().bind(rig, {}), kNoSplit);
  const bool tangents = takesTangents(rig, *bound.method, bound.binding);
  auto posing = std::make_unique<Posing>();
  posing->onCpu.emplace(*bound.method, rig, bound.binding, listParts(split), tangents);
  split = posedLayout(*posing->onCpu, rig.positions.size(), std::move(split));
  return {GpuMesh(std::move(materials), rig, std::move(split), tangents), std::move(posing)};
}

void poseMesh(GpuMesh& mesh, Posing* posing, PosingTools& tools, const Workbench& workbench,
              const BoundMethod& bound, const Palette& palette) {
  if (posing != nullptr && posing->onCpu) {
    showMorphs(*posing, workbench.rig, shownVertices(workbench, bound), shownBinding(bound));
    const vec3 origin(0.0f);
    const PosedArrays out = mesh.mapPosed(std::span(&origin, 1));
    posing->onCpu->skin(palette.rows, 1, palette.nonUniformScale, getWorkers(tools), out);
    mesh.unmapPosed();
    return;
  }
  GpuMesh& source = posing != nullptr ? *posing->computed : mesh;
  source.setMorphs(workbench.rig, shownVertices(workbench, bound), shownBinding(bound));
  source.setPalette(palette);
  if (posing != nullptr) skinByCompute(tools.programs, source, mesh);
}

void uploadCrowd(GpuMesh& mesh, const Workbench& workbench, const BoundMethod& bound,
                 const Crowd& crowd) {
  if (!crowd.morphWeights.empty()) {
    mesh.setMorphs(workbench.rig, {}, bound.binding);
    forEachMorphed(workbench, bound, crowd,
                   [&](std::size_t i, const MorphedVertices& morphed, const Binding& binding) {
                     mesh.setMemberMorphs(i, workbench.rig, morphed, binding);
                   });
  }
  mesh.setCrowd(crowd.rows, crowd.offsets, crowd.nonUniformScale);
}

void poseCrowd(GpuMesh& mesh, Posing* posing, PosingTools& tools, const Workbench& workbench,
               const BoundMethod& bound, const Crowd& crowd) {
  if (posing == nullptr) return uploadCrowd(mesh, workbench, bound, crowd);
  if (posing->computed) {
    uploadCrowd(*posing->computed, workbench, bound, crowd);
    return skinByCompute(tools.programs, *posing->computed, mesh);
  }
  const std::size_t characters = crowd.offsets.size();
  const std::size_t rows = crowd.rows.size() / std::max<std::size_t>(characters, 1);
  CpuSkin& skin = *posing->onCpu;
  const PosedArrays out = mesh.mapPosed(crowd.offsets);
  if (crowd.morphWeights.empty())
    skin.skin(crowd.rows, characters, crowd.nonUniformScale, getWorkers(tools), out);
  forEachMorphed(workbench, bound, crowd,
                 [&](std::size_t i, const MorphedVertices& morphed, const Binding& binding) {
                   showMorphs(*posing, workbench.rig, morphed, binding);
                   skin.skin(std::span(crowd.rows).subspan(i * rows, rows), 1,
                             crowd.nonUniformScale, getWorkers(tools),
                             sliceCharacter(out, skin.source().size(), i));
                 });
  mesh.unmapPosed();
}

} // namespace sinew
