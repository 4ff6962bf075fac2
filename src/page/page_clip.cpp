#include "page/page_clip.h"

#include "animation/clip_keys.h"
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

// At least two times, seconds from the beginning of the range.
std::vector<double> evenTimes(double seconds, double steps) {
  std::vector<double> times;
  for (double i = 0.0; i <= steps; ++i)
    times.push_back(steps > 0.0 ? i / steps * seconds : 0.0);
  return times;
}

// The beginning, the end and the keys between them, seconds from the beginning.
std::vector<double> keysWithin(const Clip& clip, double begin, double seconds) {
  constexpr double kSame = 1e-4;
  std::vector<double> out{0.0};
  for (const float time : keyTimes(clip))
    if (const double key = static_cast<double>(time) - begin;
        key > out.back() + kSame && key < seconds - kSame)
      out.push_back(key);
  out.push_back(seconds);
  return out;
}

bool hitsAll(std::span<const double> keys, double seconds, double steps) {
  constexpr double kNear = 5e-4; // a page shows the sample itself so near to it
  return std::ranges::all_of(keys, [&](double key) {
    const double at = key / seconds * steps;
    return std::abs(at - std::round(at)) * seconds / steps < kNear;
  });
}

// A page interpolates linearly between its poses, which is what happens between most keys. Even
// poses that miss the keys are off by some percent of the size in fast motion.
std::vector<double> sampleTimes(const Workbench& workbench, double begin, double seconds,
                                double steps) {
  constexpr double kFew = 20.0; // a second: a few poses were asked for
  if (!workbench.clip || workbench.layerStack.seconds > 0.0f || !(steps >= kFew * seconds) ||
      !(seconds > 0.0))
    return evenTimes(seconds, steps);
  const std::vector<double> keys =
      keysWithin(workbench.model.clips[*workbench.clip], begin, seconds);
  if (hitsAll(keys, seconds, steps)) return evenTimes(seconds, steps);
  std::vector<double> times{0.0};
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    const double gap = keys[i + 1] - keys[i];
    const int pieces = std::max(static_cast<int>(std::lround(gap / seconds * steps)), 1);
    for (int piece = 1; piece <= pieces; ++piece)
      times.push_back(keys[i] + static_cast<double>(piece) / pieces * gap);
  }
  const double limit = 2.0 * steps + 1.0; // keys of motion capture may be much denser
  return static_cast<double>(times.size()) <= limit ? times : evenTimes(seconds, 2.0 * steps);
}

bool isEven(std::span<const double> times) {
  const double step = times.back() / std::max(1.0, static_cast<double>(times.size() - 1));
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::abs(times[i] - static_cast<double>(i) * step) > 1e-5) return false;
  return true;
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
    PageClip clip{shownName(workbench, word), 0.0, static_cast<double>(range.begin), {}};
    if (poses + static_cast<std::size_t>(std::min(steps, 1e9)) >= kMaxPoses)
      throw usageError(fmt::format("clip '{}': a page holds up to {} poses, and here they end",
                                   clip.name, kMaxPoses),
                       "choose fewer clips, a shorter --range-end or a lower --fps");
    std::vector<double> times = sampleTimes(workbench, clip.begin, seconds, steps);
    for (const double time : times)
      addPose(workbench, clip.begin + time, clip);
    if (seconds > 0.0) clip.framesPerSecond = static_cast<double>(times.size() - 1) / seconds;
    if (!isEven(times)) clip.times = std::move(times);
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
