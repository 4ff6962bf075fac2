#include "app/layers_clip.h"

#include "animation/clip_keys.h"
#include "core/error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {

Clip layersClip(const Workbench& workbench, std::string name, Wrap wrap) {
  constexpr float kFramesPerSecond = 30.0f;
  const float seconds = playSeconds(workbench, wrap);
  if (!(seconds > 0.0f))
    throw usageError("the layers have no end: they cannot become a clip",
                     "give them \"seconds\", or play a clip below them");
  const double start = static_cast<double>(playedRange(workbench, wrap).begin);
  const auto frames = static_cast<int>(std::lround(seconds * kFramesPerSecond));
  PoseMemory memory;
  std::vector<Pose> poses(static_cast<std::size_t>(std::max(frames, 1)) + 1);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    // The last frame is where a loop has come round: just before it starts again.
    const bool last = i + 1 == poses.size();
    const double time = static_cast<double>(i) / static_cast<double>(kFramesPerSecond);
    poseAt(workbench, workbench.clip, start + (last ? static_cast<double>(seconds) - 1e-5 : time),
           wrap, memory, poses[i]);
  }
  return recordClip(workbench.model, std::move(name), poses, kFramesPerSecond);
}

} // namespace sinew
