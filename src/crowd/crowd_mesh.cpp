#include "crowd/crowd_mesh.h"

#include "core/error.h"
#include "crowd/level_of_detail.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

bool selects(const CrowdDrawing& drawing) {
  return drawing.culls || drawing.lodPixels > 0.0f;
}

void checkDrawing(const CrowdDrawing& drawing, const Workbench& workbench, const BoundMethod& bound,
                  PaletteStorage storage, SkinOn skinOn) {
  const bool byTexture = storage == PaletteStorage::automatic || storage == PaletteStorage::texture;
  const bool special = drawing.format != PaletteFormat::f32 ||
                       drawing.baking != CrowdBaking::none || selects(drawing);
  if (special && skinOn != SkinOn::vertexShader)
    throw usageError("--palette-format, --bake-palette, --bake-vertices, --lod and --cull are for "
                     "the vertex shader",
                     "leave out --skin-on");
  if (special && !byTexture)
    throw usageError("--palette-format, --bake-palette, --bake-vertices, --lod and --cull have the "
                     "palette in a texture",
                     "leave out --palette");
  if (drawing.baking == CrowdBaking::vertices) {
    if (drawing.format != PaletteFormat::f32 && drawing.format != PaletteFormat::f16)
      throw usageError("--bake-vertices has no dual quaternions",
                       "use --palette-format f32 or f16");
    if (drawing.lodPixels > 0.0f)
      throw usageError("--bake-vertices has one mesh", "use --bake-palette with --lod");
  } else {
    checkPaletteFormat(drawing.format, *bound.method, bound.binding);
  }
  if (drawing.lodPixels > 0.0f && !workbench.rig.morphs.empty())
    throw usageError("--lod does not show morph targets", "leave out --lod");
}

// Some poses of every clip that the crowd plays.
void checkFormatBound(const CrowdDrawing& drawing, const Workbench& workbench,
                      const BoundMethod& bound, const Crowd& crowd) {
  if (drawing.format == PaletteFormat::f32 || drawing.baking == CrowdBaking::vertices) return;
  constexpr int kPoses = 8;
  const float size = computeBounds(workbench.rig.positions).size();
  std::vector<bool> seen(workbench.model.clips.size());
  for (const CrowdMember& member : crowd.members) {
    if (!member.clip || seen[*member.clip]) continue;
    seen[*member.clip] = true;
    const Clip& clip = workbench.model.clips[*member.clip];
    for (int i = 0; i < kPoses; ++i) {
      const Pose pose =
          sample(workbench.model, clip, clip.seconds * static_cast<float>(i) / kPoses, Wrap::loop);
      Palette palette;
      packPalette(*bound.method, workbench.rig, bound.binding,
                  modelFromNodes(workbench.model.hierarchy, pose), palette, pose.twists);
      const PaletteError error =
          paletteError(drawing.format, *bound.method, workbench.rig, bound.binding, palette);
      if (!(error.bound <= kFormatBound * size))
        throw usageError(fmt::format("--palette-format {} may move a vertex by {:.2g} % of the "
                                     "size in clip '{}', and {:.2g} % is its bound",
                                     toString(drawing.format), 100.0f * error.bound / size,
                                     clip.name, 100.0f * kFormatBound),
                         "use --palette-format f32");
    }
  }
}

BakedFrames bakedFrames(const CrowdMesh& mesh, const Workbench& workbench, const BoundMethod& bound,
                        const Crowd& crowd) {
  const JointBoxes* boxes = mesh.drawing.culls ? &mesh.boxes : nullptr;
  if (mesh.drawing.baking == CrowdBaking::vertices)
    return bakeVertices(workbench, bound, crowd, mesh.levels.front().mesh.layout().sourceVertex,
                        boxes);
  return bakePalettes(workbench, bound, crowd, boxes);
}

void upload(CrowdMesh& mesh, const Workbench& workbench, const BoundMethod& bound,
            const Crowd& crowd) {
  mesh.baked = bakedFrames(mesh, workbench, bound, crowd);
  for (PosedMesh& level : mesh.levels)
    level.mesh.setBaked(mesh.baked->rows, mesh.baked->nonUniformScale);
  mesh.bytes.baked = mesh.baked->rows.size() / mesh.levels.front().mesh.rowsPerEntry() *
                     mesh.bytes.perJoint * mesh.levels.size();
  mesh.baked->rows = {};
  for (const CrowdMember& member : crowd.members)
    mesh.plays.push_back(packPlay(*mesh.baked, member));
}

PosedMesh vertexAnimationMesh(const std::shared_ptr<const GpuMaterials>& materials, const Rig& rig,
                              const GpuMeshOptions& options) {
  const MeshSplit layout = splitMesh(rig, vertexAnimationBinding(rig, 0), kNoSplit);
  return {GpuMesh(materials, rig, vertexAnimation(),
                  vertexAnimationBinding(rig, layout.sourceVertex.size()), options),
          nullptr};
}

// Pixels that a length of 1 covers at the distance of a point.
float pixelsPerUnit(const View& view, const vec3& point) {
  const float distance = glm::distance(eyePosition(view.camera), point);
  const auto height = static_cast<float>(view.viewport.height);
  return height / shownHeight(view.camera, std::max(distance, 1e-20f));
}

std::size_t chooseLevel(const CrowdMesh& mesh, const View& view, const vec3& offset) {
  const float pixels = pixelsPerUnit(view, offset + mesh.center);
  std::size_t level = mesh.levels.size() - 1;
  while (level > 0 && mesh.errors[level] * pixels > mesh.drawing.lodPixels)
    --level;
  return level;
}

bool isShown(const CrowdMesh& mesh, const Crowd& crowd, const mat4& clipFromWorld, std::size_t i,
             float seconds) {
  if (!mesh.drawing.culls) return true;
  if (!mesh.baked) return crowd.shown.empty() || crowd.shown[i] != 0;
  Bounds box = mesh.baked->boxes[shownFrame(mesh.plays[i], seconds)];
  box.min += crowd.offsets[i];
  box.max += crowd.offsets[i];
  return isInPicture(clipFromWorld, box);
}

void select(CrowdMesh& mesh, const Crowd& crowd, const View& view, float seconds) {
  mesh.shown.resize(mesh.levels.size());
  for (std::vector<std::uint32_t>& members : mesh.shown)
    members.clear();
  const mat4 clip = clipFromWorld(view);
  for (std::uint32_t i = 0; i < crowd.offsets.size(); ++i)
    if (isShown(mesh, crowd, clip, i, seconds))
      mesh.shown[chooseLevel(mesh, view, crowd.offsets[i])].push_back(i);
}

void placeLevel(CrowdMesh& mesh, std::size_t level, const Crowd& crowd) {
  const std::vector<std::uint32_t>& members = mesh.shown[level];
  mesh.offsets.clear();
  for (const std::uint32_t member : members)
    mesh.offsets.push_back(crowd.offsets[member]);
  const std::size_t each = mesh.baked ? 1 : crowd.rows.size() / crowd.members.size();
  const std::vector<vec4>& from = mesh.baked ? mesh.plays : crowd.rows;
  mesh.rows.resize(members.size() * each);
  for (std::size_t i = 0; i < members.size(); ++i)
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(members[i] * each), each,
                mesh.rows.begin() + static_cast<std::ptrdiff_t>(i * each));
  GpuMesh& gpu = mesh.levels[level].mesh;
  if (mesh.baked)
    gpu.setPlays(mesh.rows, mesh.offsets);
  else
    gpu.setCrowd(mesh.rows, mesh.offsets, crowd.nonUniformScale);
}

std::size_t uploadedPerFrame(const CrowdMesh& mesh) {
  std::size_t bytes = 0;
  for (const PosedMesh& level : mesh.levels) {
    const std::size_t entries = level.mesh.instanceRows() / std::max(level.mesh.rowsPerEntry(), 1u);
    bytes +=
        level.mesh.instanceCount() * (mesh.baked ? sizeof(vec4) : entries * mesh.bytes.perJoint);
  }
  return bytes;
}

} // namespace

CrowdMesh makeCrowdMesh(const CrowdDrawing& drawing,
                        const std::shared_ptr<const GpuMaterials>& materials,
                        const Workbench& workbench, const BoundMethod& bound, const Crowd& crowd,
                        PaletteStorage storage, SkinOn skinOn) {
  CrowdMesh mesh;
  mesh.drawing = drawing;
  if (bound.binding.rowsPerEntry == 0) { // unskinned: there is nothing to bake
    mesh.drawing.baking = CrowdBaking::none;
    mesh.drawing.format = PaletteFormat::f32;
  }
  checkDrawing(mesh.drawing, workbench, bound, storage, skinOn);
  checkFormatBound(mesh.drawing, workbench, bound, crowd);
  GpuMeshOptions options;
  options.storage = storage;
  options.reading = {mesh.drawing.format, mesh.drawing.baking != CrowdBaking::none};
  mesh.center = posedOutline(workbench).center();
  if (mesh.drawing.culls) mesh.boxes = jointBoxes(workbench.rig, *bound.method);
  mesh.errors.push_back(0.0f);
  if (mesh.drawing.baking == CrowdBaking::vertices)
    mesh.levels.push_back(vertexAnimationMesh(materials, workbench.rig, options));
  else
    mesh.levels.push_back(makePosedMesh(materials, workbench.rig, bound, options, skinOn));
  if (mesh.drawing.lodPixels > 0.0f)
    for (const DetailLevel& level : detailLevels(workbench.rig)) {
      mesh.levels.push_back(
          makePosedMesh(materials, withLevel(workbench.rig, level), bound, options, skinOn));
      mesh.errors.push_back(level.error);
    }
  mesh.bytes.perJoint = storedBytes(mesh.drawing.format, mesh.levels.front().mesh.rowsPerEntry());
  if (options.reading.baked) upload(mesh, workbench, bound, crowd);
  return mesh;
}

void beginCrowdFrame(const CrowdMesh& mesh, Crowd& crowd, const View& view) {
  crowd.live = !mesh.baked;
  if (!mesh.drawing.culls || mesh.baked) {
    crowd.culling.reset();
    return;
  }
  if (!crowd.culling) crowd.culling.emplace();
  crowd.culling->clipFromWorld = clipFromWorld(view);
  crowd.culling->boxes = mesh.boxes;
}

void poseCrowd(CrowdMesh& mesh, PosingTools& tools, const Workbench& workbench,
               const BoundMethod& bound, const Crowd& crowd, const View& view, float seconds) {
  PosedMesh& whole = mesh.levels.front();
  if (selects(mesh.drawing)) {
    select(mesh, crowd, view, seconds);
    for (std::size_t level = 0; level < mesh.levels.size(); ++level)
      placeLevel(mesh, level, crowd);
  } else if (!mesh.baked) {
    poseCrowd(whole.mesh, whole.posing.get(), tools, workbench, bound, crowd);
  } else if (!mesh.placed) {
    whole.mesh.setPlays(mesh.plays, crowd.offsets);
  }
  mesh.bytes.perFrame = mesh.placed ? 0 : uploadedPerFrame(mesh);
  mesh.placed = mesh.baked && !selects(mesh.drawing);
  for (PosedMesh& level : mesh.levels)
    level.mesh.setSeconds(seconds);
}

DrawCount drawCrowd(Renderer& renderer, const CrowdMesh& mesh) {
  for (int pass = 1; pass < mesh.drawing.passes; ++pass)
    for (const PosedMesh& level : mesh.levels)
      renderer.drawDepth(level.mesh);
  DrawCount count;
  for (const PosedMesh& level : mesh.levels) {
    const DrawCount drawn = renderer.draw(level.mesh);
    count.draws += drawn.draws;
    count.triangles += drawn.triangles;
    count.vertices += drawn.vertices;
  }
  return count;
}

PaletteError crowdError(const CrowdDrawing& drawing, const Workbench& workbench,
                        const BoundMethod& bound, const Crowd& crowd) {
  constexpr std::size_t kMembers = 8;
  PaletteError worst;
  if (crowd.rows.empty()) return worst;
  const std::size_t each = crowd.rows.size() / crowd.members.size();
  const std::size_t step = std::max<std::size_t>(crowd.members.size() / kMembers, 1);
  for (std::size_t i = 0; i < crowd.members.size(); i += step) {
    Palette palette;
    palette.rows.assign(crowd.rows.begin() + static_cast<std::ptrdiff_t>(i * each),
                        crowd.rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * each));
    palette.nonUniformScale = crowd.nonUniformScale;
    const PaletteError error =
        paletteError(drawing.format, *bound.method, workbench.rig, bound.binding, palette);
    worst.largest = std::max(worst.largest, error.largest);
    worst.bound = std::max(worst.bound, error.bound);
    worst.ambiguous += error.ambiguous;
  }
  return worst;
}

} // namespace sinew
