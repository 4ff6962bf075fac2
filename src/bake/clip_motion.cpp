#include "bake/clip_motion.h"

#include "animation/sample.h"
#include "bake/bake_morphs.h"
#include "bake/helper_fit.h"
#include "bake/place_weights.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sinew {
namespace {

constexpr std::size_t kMaxTimes = 100000; // per clip
constexpr float kSameTime = 1e-4f;        // seconds
constexpr float kJump = 0.01f;    // a smaller step of the target is no jump; share of its size
constexpr float kAlone = 4.0f;    // times the way between the moments before and after, or more
constexpr float kEarlier = 0.02f; // share of the time since the moment before

// Calls visit(track) for every track of the clip.
template <class Visit>
void visitTracks(const Clip& clip, const Visit& visit) {
  for (const Channel& channel : clip.channels) {
    visit(channel.translation);
    visit(channel.rotation);
    visit(channel.scale);
  }
  for (const MorphChannel& channel : clip.morphs)
    visit(channel.weight);
  for (const TwistChannel& channel : clip.twists)
    visit(channel.twist);
}

std::vector<float> evenTimes(float from, float to, std::size_t count) {
  std::vector<float> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(from + (to - from) * static_cast<float>(i) / static_cast<float>(count));
  return out;
}

// Sorted, without those that follow another within `apart`.
void sortTimes(std::vector<float>& times, float apart) {
  std::sort(times.begin(), times.end());
  std::vector<float> out;
  for (const float time : times)
    if (out.empty() || time > out.back() + apart) out.push_back(time);
  times = std::move(out);
}

BakeShapes shapesAt(const BakeProblem& problem, std::uint32_t index, std::span<const float> times) {
  const Model& source = problem.workbench->model;
  const Clip& clip = source.clips[index];
  std::vector<Pose> poses;
  std::vector<std::string> names;
  std::vector<BakeMoment> moments;
  for (const float time : times) {
    moments.push_back({index, time});
    poses.push_back(sample(source, clip, time));
    replaceNonFinite(source.hierarchy, poses.back());
    names.push_back(fmt::format("clip {}, {:.3f} s", clip.name, static_cast<double>(time)));
  }
  return shapesIn(problem, std::move(poses), std::move(names), moments);
}

// The farthest that a place of the target goes from one of these poses to another.
float largestStep(const BakeProblem& problem, const BakeShapes& shapes, std::size_t from,
                  std::size_t to) {
  float largest = 0.0f;
  for (std::size_t place = 0; place < problem.positions.size(); ++place) {
    const vec3* target = shapes.targets.data() + place * shapes.count();
    largest = std::max(largest, glm::distance(target[from], target[to]));
  }
  return largest;
}

// Whether the target jumps away for this moment alone. At exactly half a turn dual quaternions go
// either way, and a rounding error decides.
bool jumpsAlone(const BakeProblem& problem, const BakeShapes& shapes, std::size_t moment) {
  const float there = largestStep(problem, shapes, moment - 1, moment);
  if (there < kJump * problem.size) return false;
  const float back = largestStep(problem, shapes, moment, moment + 1);
  return std::min(there, back) > kAlone * largestStep(problem, shapes, moment - 1, moment + 1);
}

// The target's shapes at moments of a clip. One that jumps alone is taken from just before.
BakeShapes shapesOfClip(const BakeProblem& problem, std::uint32_t index,
                        std::span<const float> times) {
  BakeShapes shapes = shapesAt(problem, index, times);
  std::vector<float> earlier(times.begin(), times.end());
  for (std::size_t i = 1; i + 1 < times.size(); ++i)
    if (jumpsAlone(problem, shapes, i)) earlier[i] -= kEarlier * (times[i] - times[i - 1]);
  if (std::ranges::equal(earlier, times)) return shapes;
  std::vector<std::string> names = std::move(shapes.names);
  shapes = shapesAt(problem, index, earlier);
  shapes.names = std::move(names);
  return shapes;
}

// Keys of a helper; of its scale only where that changes.
void addKeys(const ClipMotion& motion, std::size_t helper, const Node& node, std::uint32_t index,
             Clip& clip) {
  Channel channel{index, {}, {}, {}};
  bool moves = false, scales = false;
  for (const std::vector<Transform>& locals : motion.helpers) {
    const Transform& local = locals[helper];
    quat rotation = local.rotation;
    // Engines interpolate components: the shorter way.
    if (!channel.rotation.values.empty() &&
        glm::dot(channel.rotation.values.back(), rotation) < 0.0f)
      rotation = -rotation;
    channel.translation.values.push_back(local.translation);
    channel.rotation.values.push_back(rotation);
    channel.scale.values.push_back(local.scale);
    moves = moves || !(local == node.rest);
    scales = scales || local.scale != node.rest.scale;
  }
  channel.translation.times = channel.rotation.times = channel.scale.times = motion.times;
  if (!scales) channel.scale = {};
  if (moves) clip.channels.push_back(std::move(channel));
}

// Per pose the largest distance from the target, and where all poses have theirs.
struct PoseErrors {
  std::vector<float> all; // computeErrors()
  std::vector<double> largest;
};

PoseErrors errorsByPose(const BakeProblem& problem, const BakeShapes& shapes) {
  PoseErrors out{computeErrors(problem, shapes), std::vector<double>(shapes.count(), 0.0)};
  for (std::size_t i = 0; i < out.all.size(); ++i) {
    double& largest = out.largest[i % shapes.count()];
    largest = std::max(largest, static_cast<double>(out.all[i]));
  }
  return out;
}

// Moves the helpers and corrective shapes as the clip of the baked model does at these moments.
void play(const BakeProblem& problem, const Model& baked, const Clip& clip,
          std::span<const float> times, BakeShapes& shapes) {
  const std::size_t nodes = problem.workbench->model.hierarchy.nodes.size();
  const std::size_t targets = problem.workbench->model.morphTargets.size();
  fitMorphWeights(problem, shapes);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Pose pose = sample(baked, clip, times[i]);
    for (std::uint32_t h = 0; h < problem.helpers.size(); ++h) {
      shapes.helpers[i][h] = pose.parentFromNode[nodes + h];
      placeHelper(problem, shapes, i, h);
    }
    for (std::size_t k = 0; k < problem.morphs.size(); ++k)
      setMorphWeight(problem, shapes, i, k, pose.morphWeights[targets + k]);
  }
}

} // namespace

std::vector<float> motionTimes(const Clip& clip, double framesPerSecond) {
  std::vector<float> keys{0.0f, clip.seconds}, steps;
  visitTracks(clip, [&](const auto& track) {
    for (const float time : track.times) {
      if (!(time > 0.0f && time < clip.seconds)) continue;
      keys.push_back(time);
      if (track.interpolation != Interpolation::step) continue;
      steps.push_back(time);
      steps.push_back(std::nextafter(time, 0.0f));
    }
  });
  sortTimes(keys, kSameTime);
  std::vector<float> out;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    const double frames = static_cast<double>(keys[i + 1] - keys[i]) * framesPerSecond;
    const double pieces = std::clamp(std::ceil(frames - 1e-3), 1.0, 1.0 + kMaxTimes);
    const std::vector<float> piece =
        evenTimes(keys[i], keys[i + 1], static_cast<std::size_t>(pieces));
    out.insert(out.end(), piece.begin(), piece.end());
    if (out.size() > kMaxTimes) break;
  }
  out.push_back(keys.back());
  out.insert(out.end(), steps.begin(), steps.end());
  sortTimes(out, 0.0f);
  if (out.size() > kMaxTimes) out = evenTimes(0.0f, clip.seconds, kMaxTimes);
  return out;
}

ClipMotion fitMotion(const BakeProblem& problem, std::uint32_t clip, std::vector<float> times,
                     ProgressMeter& meter) {
  ClipMotion out{std::move(times), {}, {}};
  for (std::size_t first = 0; first < out.times.size(); first += kMotionTimesAtOnce) {
    const std::size_t count = std::min(kMotionTimesAtOnce, out.times.size() - first);
    BakeShapes shapes = shapesOfClip(problem, clip, std::span(out.times).subspan(first, count));
    fitOverTime(problem, shapes, out.helpers.empty() ? nullptr : &out.helpers.back());
    fitMorphWeights(problem, shapes);
    std::move(shapes.helpers.begin(), shapes.helpers.end(), std::back_inserter(out.helpers));
    std::move(shapes.morphWeights.begin(), shapes.morphWeights.end(),
              std::back_inserter(out.morphWeights));
    meter.piece();
  }
  return out;
}

void addMotion(const ClipMotion& motion, const Model& baked,
               const std::vector<std::uint32_t>& helperNodes, std::uint32_t firstTarget,
               Clip& clip) {
  for (std::size_t h = 0; h < helperNodes.size(); ++h)
    addKeys(motion, h, baked.hierarchy.nodes[helperNodes[h]], helperNodes[h], clip);
  const std::size_t shapes = motion.morphWeights.front().size();
  for (std::size_t k = 0; k < shapes; ++k) {
    Track<float> track{motion.times, {}};
    for (const std::vector<float>& weights : motion.morphWeights)
      track.values.push_back(weights[k]);
    clip.morphs.push_back({firstTarget + static_cast<std::uint32_t>(k), std::move(track)});
  }
}

BakeShapes playedShapes(const BakeProblem& problem, const Model& baked, std::uint32_t source,
                        const Clip& clip, std::span<const float> times) {
  BakeShapes out = shapesOfClip(problem, source, times);
  play(problem, baked, clip, times, out);
  return out;
}

MotionErrors measureMotion(const BakeProblem& problem, const Model& baked, std::uint32_t source,
                           const Clip& clip, const std::vector<float>& times) {
  MotionErrors out;
  for (std::size_t i = 0; i + 1 < times.size(); ++i)
    if (const float middle = 0.5f * (times[i] + times[i + 1]);
        middle > times[i] && middle < times[i + 1])
      out.midpoints.push_back(middle);
  BakeProblem linear = problem;
  linear.weights = largestWeights(problem, problem.influences);
  ErrorSum keys, between, all;
  std::vector<double> atTimes;
  const auto measure = [&](std::span<const float> moments, ErrorSum& sum, bool atMidpoints) {
    for (std::size_t first = 0; first < moments.size(); first += kMotionTimesAtOnce) {
      const std::size_t count = std::min(kMotionTimesAtOnce, moments.size() - first);
      BakeShapes shapes = shapesOfClip(problem, source, moments.subspan(first, count));
      const PoseErrors before = errorsByPose(linear, shapes);
      all.add(summarize(linear, shapes, before.all), before.all.size());
      play(problem, baked, clip, moments.subspan(first, count), shapes);
      const PoseErrors now = errorsByPose(problem, shapes);
      sum.add(summarize(problem, shapes, now.all), now.all.size());
      for (std::size_t i = 0; i < count; ++i) {
        const double excess = now.largest[i] - before.largest[i];
        (atMidpoints ? out.atMidpoints : atTimes).push_back(now.largest[i]);
        if (atMidpoints) out.excesses.push_back(excess);
        if (excess > out.excess || out.excessAt.empty()) {
          out.excess = excess;
          out.excessAt = shapes.names[i];
        }
      }
    }
  };
  measure(times, keys, false);
  measure(out.midpoints, between, true);
  for (const float middle : out.midpoints) {
    const auto after =
        static_cast<std::size_t>(std::ranges::upper_bound(times, middle) - times.begin());
    out.atKeys.push_back(std::max(atTimes[after - 1], atTimes[after]));
  }
  out.keys = keys.result();
  out.between = between.result();
  out.linear = all.result();
  return out;
}

} // namespace sinew
