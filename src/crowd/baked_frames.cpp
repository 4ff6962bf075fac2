#include "crowd/baked_frames.h"

#include "core/error.h"
#include "skinning/methods.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace sinew {
namespace {

constexpr std::uint32_t kRowsPerVertex = 2; // position, normal

void bakeClip(const Workbench& workbench, const BoundMethod& bound, std::uint32_t index,
              const JointBoxes* boxes, const std::function<void(const Palette&)>& append,
              BakedFrames& out) {
  BakedClip& clip = out.clips[index];
  clip.seconds = workbench.model.clips[index].seconds;
  clip.firstFrame = 0;
  for (const BakedClip& other : out.clips)
    clip.firstFrame = std::max(clip.firstFrame, other.firstFrame + other.frames);
  clip.frames = std::max(static_cast<std::uint32_t>(std::lround(clip.seconds * kBakedRate)), 1u);
  PoseMemory memory;
  Pose pose;
  std::vector<Bounds> own;
  Palette palette;
  for (std::uint32_t k = 0; k < clip.frames; ++k) {
    poseAt(workbench, index, static_cast<double>(clip.seconds) * k / clip.frames, Wrap::loop,
           memory, pose);
    const std::vector<mat4> modelFromNode = modelFromNodes(workbench.model.hierarchy, pose);
    packPalette(*bound.method, workbench.rig, bound.binding, modelFromNode, palette, pose.twists);
    out.nonUniformScale |= palette.nonUniformScale;
    append(palette);
    if (boxes != nullptr) own.push_back(posedBox(*boxes, modelFromNode));
  }
  // The GPU's rounding of time may choose a neighbour of the CPU's frame.
  for (std::size_t k = 0; k < own.size(); ++k) {
    Bounds box = own[k];
    box.include(own[(k + 1) % own.size()]);
    box.include(own[(k + own.size() - 1) % own.size()]);
    out.boxes.push_back(box);
  }
}

BakedFrames bake(const Workbench& workbench, const BoundMethod& bound, const Crowd& crowd,
                 const JointBoxes* boxes,
                 const std::function<void(const Palette&, std::vector<vec4>&)>& append) {
  checkBakes(workbench);
  BakedFrames out;
  out.clips.resize(workbench.model.clips.size());
  for (const CrowdMember& member : crowd.members)
    if (member.clip && out.clips[*member.clip].frames == 0)
      bakeClip(
          workbench, bound, *member.clip, boxes,
          [&](const Palette& palette) { append(palette, out.rows); }, out);
  return out;
}

Binding bindNothing(const Rig& rig, const BindOptions& options) {
  return staticMethod().bind(rig, options);
}

constexpr std::array<std::string_view, 1> kVertexAnimationShaders{"common/vertex_animation.glsl"};

} // namespace

void checkBakes(const Workbench& workbench) {
  const auto refuse = [](const char* what, const char* remedy) {
    throw usageError(std::string("baked crowds play whole clips: ") + what, remedy);
  };
  if (workbench.model.clips.empty()) refuse("the model has none", "give it some: --motion FILE");
  if (!workbench.rig.morphs.empty()) refuse("not morph targets", "leave the baking out");
  if (!workbench.layerStack.layers.empty() || !workbench.preparedDrivers.empty())
    refuse("not layers and drivers", "leave the baking or these out");
  if (!isPlain(workbench.range) || workbench.root != RootMotion::keep)
    refuse("not parts of them, nor other root motion",
           "leave out --range-start, --range-end, --root");
}

BakedFrames bakePalettes(const Workbench& workbench, const BoundMethod& bound, const Crowd& crowd,
                         const JointBoxes* boxes) {
  return bake(workbench, bound, crowd, boxes, [](const Palette& palette, std::vector<vec4>& rows) {
    rows.insert(rows.end(), palette.rows.begin(), palette.rows.end());
  });
}

BakedFrames bakeVertices(const Workbench& workbench, const BoundMethod& bound, const Crowd& crowd,
                         std::span<const std::uint32_t> source, const JointBoxes* boxes) {
  SkinnedMesh posed;
  return bake(workbench, bound, crowd, boxes, [&](const Palette& palette, std::vector<vec4>& rows) {
    bound.method->skin(workbench.rig, bound.binding, palette, posed);
    for (const std::uint32_t vertex : source) {
      rows.emplace_back(posed.positions[vertex], 1.0f);
      rows.emplace_back(posed.normals[vertex], 0.0f);
    }
  });
}

vec4 packPlay(const BakedFrames& baked, const CrowdMember& member) {
  const BakedClip& clip = baked.clips[*member.clip];
  const auto frames = static_cast<float>(clip.frames);
  const float rate = clip.seconds > 0.0f ? frames / clip.seconds : 0.0f;
  // Half a frame more: rounded down it is the nearest. Within the first round, where floats are
  // fine.
  return {static_cast<float>(clip.firstFrame), frames,
          std::fmod(member.start * rate, frames) + 0.5f, member.speed * rate};
}

std::uint32_t shownFrame(const vec4& play, float seconds) {
  const float passed = std::floor(play.z + play.w * seconds);
  const float frame = passed - play.y * std::floor(passed / play.y);
  return static_cast<std::uint32_t>(play.x + std::clamp(frame, 0.0f, play.y - 1.0f));
}

const Method& vertexAnimation() {
  static const Method method{.name = "vertex-animation",
                             .title = "Vertex animation texture",
                             .shortTitle = "Baked frames",
                             .paper = "",
                             .summary = "",
                             .parameters = {},
                             .shaders = kVertexAnimationShaders,
                             .bind = bindNothing,
                             .pack = nullptr,
                             .skin = nullptr};
  return method;
}

Binding vertexAnimationBinding(const Rig& rig, std::size_t drawnVertices) {
  Binding binding = bindNothing(rig, {});
  binding.entryCount = static_cast<std::uint32_t>(drawnVertices);
  binding.rowsPerEntry = kRowsPerVertex;
  return binding;
}

} // namespace sinew
