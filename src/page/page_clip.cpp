#include "page/page_clip.h"

#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// An hour at 30 a second; more than a browser holds of a character with many joints.
constexpr std::size_t kMaxPoses = 108000;

std::vector<std::string> listClipWords(const Workbench& workbench, const Settings& settings,
                                       std::span<const std::string> clips) {
  std::vector<std::string> words;
  for (const std::string& clip : clips)
    if (clip != "all")
      words.push_back(clip);
    else
      for (std::uint32_t i = 0; i < workbench.model.clips.size(); ++i)
        words.push_back(clipWord(workbench.model, i));
  if (words.empty()) words.push_back(settings.clip);
  return words;
}

std::string shownName(const Workbench& workbench, const std::string& word) {
  if (workbench.posed) return "pose";
  if (workbench.clip) return workbench.model.clips[*workbench.clip].name;
  return word == "bind" ? "bind pose" : "rest pose";
}

void addPose(Workbench& workbench, double seconds, PageClip& clip) {
  evaluate(workbench, seconds, Wrap::clamp);
  clip.poses.push_back({.modelFromNode = workbench.modelFromNode,
                        .twists = workbench.pose.twists,
                        .morphWeights = workbench.morphed.weights,
                        .parentFromNode = workbench.pose.parentFromNode});
  if (workbench.moving.strength.moves())
    clip.poses.back().displacements = workbench.moving.now.joints;
}

} // namespace

std::vector<PageClip> sampleClips(Workbench workbench, Settings settings,
                                  std::span<const std::string> clips, double framesPerSecond) {
  std::vector<PageClip> out;
  std::size_t poses = 0;
  // A pose made by hand is all there is.
  const auto words =
      workbench.posed ? std::vector<std::string>{""} : listClipWords(workbench, settings, clips);
  for (const std::string& word : words) {
    settings.clip = word;
    if (!workbench.posed) chooseClip(workbench, settings);
    const TimeMap range = playedRange(workbench, Wrap::clamp);
    const double seconds = std::max(0.0, static_cast<double>(range.end - range.begin));
    const double steps = std::max(std::round(seconds * framesPerSecond), seconds > 0.0 ? 1.0 : 0.0);
    PageClip clip{shownName(workbench, word),
                  seconds > 0.0 ? steps / seconds : 0.0,
                  static_cast<double>(range.begin),
                  {}};
    if (poses + static_cast<std::size_t>(std::min(steps, 1e9)) >= kMaxPoses)
      throw usageError(fmt::format("clip '{}': a page holds up to {} poses, and here they end",
                                   clip.name, kMaxPoses),
                       "choose fewer clips, a shorter --range-end or a lower --fps");
    // Evenly spaced; the first and the last moment of the range are among them.
    for (double i = 0.0; i <= steps; ++i)
      addPose(workbench,
              static_cast<double>(range.begin) + (steps > 0.0 ? i / steps : 0.0) * seconds, clip);
    poses += clip.poses.size();
    out.push_back(std::move(clip));
  }
  return out;
}

std::vector<PageClip> withStandIns(const Workbench& workbench, std::span<const PageClip> clips) {
  std::vector<PageClip> out(clips.begin(), clips.end());
  const std::size_t targets = workbench.rig.morphs.size();
  for (PageClip& clip : out)
    for (PagePose& pose : clip.poses) {
      MorphWeights weights = pose.morphWeights;
      weights.resize(targets, 0.0f);
      pose.morphWeights = weights;
      for (const BoundMethod& bound : workbench.bound) {
        ShownModel::Pose& own = pose.standIns.emplace_back();
        if (!bound.method->shows) continue;
        own = bound.method->shows->pose({pose.modelFromNode, pose.twists, weights});
        pose.morphWeights.insert(pose.morphWeights.end(),
                                 own.morphWeights.begin() + static_cast<std::ptrdiff_t>(targets),
                                 own.morphWeights.end());
      }
    }
  return out;
}

} // namespace sinew
