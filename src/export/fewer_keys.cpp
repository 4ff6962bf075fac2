#include "export/fewer_keys.h"

#include "animation/pose.h"
#include "animation/sample.h"
#include "core/bounds.h"
#include "import/clip_repairs.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// Keys a second that are tried: few, as tracks of the same times share them.
constexpr std::array kRates{1.0f,  3.0f,  6.0f,  9.0f,  12.0f, 15.0f,
                            20.0f, 24.0f, 30.0f, 40.0f, 60.0f, 120.0f};
constexpr int kParts = 4; // parts of the time between two keys; tracks are compared between them

struct VectorMetric {
  double weight = 1.0; // from a difference of values to a distance
  double distance(const vec3& a, const vec3& b) const {
    return weight * static_cast<double>(glm::distance(a, b));
  }
  static vec3 straight(const vec3& a, const vec3& b, float t) { return glm::mix(a, b, t); }
};

struct RotationMetric {
  double weight = 1.0; // the node's reach
  double distance(const quat& a, const quat& b) const {
    const quat near = glm::dot(a, b) < 0.0f ? -b : b;
    const vec4 chord(a.x - near.x, a.y - near.y, a.z - near.z, a.w - near.w);
    return weight * 2.0 * static_cast<double>(glm::length(chord));
  }
  // As programs play keys that have no slerp.
  static quat straight(const quat& a, const quat& b, float t) {
    return glm::normalize(a * (1.0f - t) + b * t);
  }
};

template <class T, class Metric>
class TrackReducer {
 public:
  TrackReducer(const Track<T>& track, const T& rest, float seconds, Metric metric, double tolerance)
      : track_(track), rest_(rest), seconds_(seconds), metric_(metric), tolerance_(tolerance) {
    const auto add = [&](float time) {
      times_.push_back(time);
      values_.push_back(at(time));
    };
    add(0.0f);
    for (std::size_t i = 0; i < track.times.size(); ++i) {
      if (i > 0)
        for (int part = 1; part < kParts; ++part)
          add(glm::mix(track.times[i - 1], track.times[i],
                       static_cast<float>(part) / static_cast<float>(kParts)));
      add(track.times[i]);
    }
    add(std::max(seconds, track.times.back()));
  }

  Track<T> reduce() {
    if (isAlways(rest_)) return {};
    if (isAlways(values_.front())) return {{0.0f}, {values_.front()}, Interpolation::linear, {}};
    if (track_.interpolation == Interpolation::step || !(seconds_ > 0.0f)) return track_;
    // A cubic key has three values; new times cost about a fifth of what they save.
    const std::size_t keys = track_.times.size();
    const std::size_t limit =
        track_.interpolation == Interpolation::cubic ? 3 * keys : 4 * keys / 5;
    for (const float rate : kRates) {
      const auto steps = static_cast<std::size_t>(std::max(1.0f, std::ceil(seconds_ * rate)));
      if (steps + 1 > limit) break;
      if (Track<T> fewer = sampled(steps); isNear(fewer)) return fewer;
    }
    return track_;
  }

 private:
  T at(float time) {
    T value = valueAt(track_, time, key_);
    if constexpr (std::is_same_v<T, quat>) value = glm::normalize(value);
    return value;
  }

  bool isAlways(const T& value) const {
    return std::ranges::all_of(
        values_, [&](const T& each) { return metric_.distance(each, value) <= tolerance_; });
  }

  Track<T> sampled(std::size_t steps) {
    Track<T> out;
    for (std::size_t i = 0; i <= steps; ++i) {
      const float time = seconds_ * static_cast<float>(i) / static_cast<float>(steps);
      T value = at(time);
      if constexpr (std::is_same_v<T, quat>)
        if (!out.values.empty() && glm::dot(out.values.back(), value) < 0.0f) value = -value;
      out.times.push_back(time);
      out.values.push_back(value);
    }
    return out;
  }

  bool isNear(const Track<T>& fewer) const {
    std::uint32_t key = 0;
    for (std::size_t i = 0; i < times_.size(); ++i) {
      if (metric_.distance(valueAt(fewer, times_[i], key), values_[i]) > tolerance_) return false;
      const std::size_t next = std::min<std::size_t>(key + 1, fewer.times.size() - 1);
      if (next == key) continue;
      const float t = (times_[i] - fewer.times[key]) / (fewer.times[next] - fewer.times[key]);
      const T straight = Metric::straight(fewer.values[key], fewer.values[next], t);
      if (metric_.distance(straight, values_[i]) > tolerance_) return false;
    }
    return true;
  }

  const Track<T>& track_;
  const T rest_;
  const float seconds_;
  const Metric metric_;
  const double tolerance_;
  std::uint32_t key_ = 0;
  std::vector<float> times_; // where it is compared
  std::vector<T> values_;    // there
};

template <class T, class Metric>
void reduceTrack(Track<T>& track, const T& rest, float seconds, Metric metric, double tolerance) {
  if (track.times.empty()) return;
  track = TrackReducer<T, Metric>(track, rest, seconds, metric, tolerance).reduce();
}

template <class T>
bool holdToEnd(const Track<T>& before, float seconds, Track<T>& track) {
  if (before.times.empty()) return false;
  const T value = track.values.empty() ? before.values.front() : track.values.front();
  track = {{0.0f, seconds}, {value, value}, Interpolation::linear, {}};
  return true;
}

// A clip is as long as its last key. Where no track has one there any more, one is held up to it.
void retainLength(const Clip& before, Clip& out) {
  if (lastKey(out) >= before.seconds || out.channels.empty()) return;
  const Channel& first = before.channels.front();
  Channel& held = out.channels.front();
  if (!holdToEnd(first.rotation, before.seconds, held.rotation) &&
      !holdToEnd(first.translation, before.seconds, held.translation))
    holdToEnd(first.scale, before.seconds, held.scale);
}

Clip reduced(const Model& model, const Clip& clip, const NodeReach& reach, double tolerance) {
  Clip out = clip;
  for (Channel& channel : out.channels) {
    const Transform& rest = model.hierarchy.nodes[channel.node].rest;
    const double ofNode = reach.ofNode[channel.node];
    const vec3 size = glm::abs(rest.scale);
    const double largest = static_cast<double>(std::max({size.x, size.y, size.z, 1e-6f}));
    reduceTrack(channel.translation, rest.translation, clip.seconds,
                VectorMetric{reach.parentScale[channel.node]}, tolerance);
    reduceTrack(channel.rotation, rest.rotation, clip.seconds, RotationMetric{ofNode}, tolerance);
    reduceTrack(channel.scale, rest.scale, clip.seconds, VectorMetric{ofNode / largest}, tolerance);
  }
  retainLength(clip, out);
  return out;
}

// Where some of a model's vertices are in a pose.
class PosedPoints {
 public:
  explicit PosedPoints(const Model& model) : model_(model) {
    constexpr std::size_t kPoints = 4000; // vertices at which a clip's error is measured, about
    const std::size_t step = std::max<std::size_t>(1, vertexCount(model) / kPoints);
    for (std::size_t m = 0; m < model.meshes.size(); ++m)
      for (std::size_t v = 0; v < model.meshes[m].positions.size(); v += step)
        points_.push_back({m, v});
  }

  void pose(const Pose& pose, std::vector<vec3>& out) {
    modelFromNodes(model_.hierarchy, pose, modelFromNode_);
    out.clear();
    for (const auto& [m, v] : points_)
      out.push_back(posed(model_.meshes[m], v));
  }

 private:
  vec3 posed(const Mesh& mesh, std::size_t v) const {
    if (!mesh.skin) return transformPoint(modelFromNode_[mesh.node], mesh.positions[v]);
    vec3 sum(0.0f);
    for (const Influence& influence : mesh.influences.of(v)) {
      const SkinJoint& joint = model_.skins[*mesh.skin].joints[influence.joint];
      sum += influence.weight *
             transformPoint(modelFromNode_[joint.node] * joint.jointFromBind, mesh.positions[v]);
    }
    return sum;
  }

  struct Point {
    std::size_t mesh, vertex;
  };
  const Model& model_;
  std::vector<Point> points_;
  std::vector<mat4> modelFromNode_;
};

// How often vertices are compared: a motion that is over within a key or two has its moments too.
int countMoments(const Clip& clip) {
  constexpr float kPerSecond =
      120.0f; // with keys at 24, 30 or 60 a second: at keys and between them
  constexpr float kMin = 40.0f, kMax = 4000.0f;
  return 1 + static_cast<int>(std::clamp(std::ceil(kPerSecond * clip.seconds), kMin, kMax));
}

double largestMove(const Model& model, const Clip& clip, const Clip& fewer, PosedPoints& points) {
  const int count = countMoments(clip);
  std::vector<vec3> before, after;
  SampleCursor one, other;
  Pose pose;
  double largest = 0.0;
  for (int i = 0; i < count; ++i) {
    const float time = clip.seconds * static_cast<float>(i) / static_cast<float>(count - 1);
    sample(model, clip, time, Wrap::clamp, one, pose);
    points.pose(pose, before);
    sample(model, fewer, time, Wrap::clamp, other, pose);
    points.pose(pose, after);
    for (std::size_t p = 0; p < before.size(); ++p)
      largest = std::max(largest, static_cast<double>(glm::distance(before[p], after[p])));
  }
  return largest;
}

class ReachFinder {
 public:
  explicit ReachFinder(const Model& model)
      : model_(model), modelFromNode_(modelFromNodes(model.hierarchy, restPose(model.hierarchy))) {}

  NodeReach find() {
    out_.ofNode.assign(modelFromNode_.size(), 0.0);
    for (const Mesh& mesh : model_.meshes)
      include(mesh);
    for (const mat4& m : modelFromNode_)
      bounds_.include(vec3(m[3]));
    out_.size = std::max(static_cast<double>(bounds_.size()), 1e-12);
    for (std::size_t n = modelFromNode_.size(); n-- > 0;) {
      const std::uint32_t parent = model_.hierarchy.nodes[n].parent;
      // What moves no skin may carry something in the program that reads the file.
      out_.ofNode[n] = std::max(out_.ofNode[n], 0.02 * out_.size);
      if (parent == kNoNode) continue;
      const double step = static_cast<double>(
          glm::distance(vec3(modelFromNode_[n][3]), vec3(modelFromNode_[parent][3])));
      out_.ofNode[parent] = std::max(out_.ofNode[parent], step + out_.ofNode[n]);
    }
    for (const Node& node : model_.hierarchy.nodes)
      out_.parentScale.push_back(
          node.parent == kNoNode ? 1.0 : computeScale(modelFromNode_[node.parent]));
    return std::move(out_);
  }

 private:
  static double computeScale(const mat4& m) {
    return static_cast<double>(std::max(
        {glm::length(vec3(m[0])), glm::length(vec3(m[1])), glm::length(vec3(m[2])), 1e-12f}));
  }

  void include(std::uint32_t node, const vec3& place) {
    bounds_.include(place);
    double& reach = out_.ofNode[node];
    reach =
        std::max(reach, static_cast<double>(glm::distance(place, vec3(modelFromNode_[node][3]))));
  }

  void include(const Mesh& mesh) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      if (!mesh.skin) {
        include(mesh.node, transformPoint(modelFromNode_[mesh.node], mesh.positions[v]));
        continue;
      }
      for (const Influence& influence : mesh.influences.of(v)) {
        const SkinJoint& joint = model_.skins[*mesh.skin].joints[influence.joint];
        include(joint.node, transformPoint(modelFromNode_[joint.node] * joint.jointFromBind,
                                           mesh.positions[v]));
      }
    }
  }

  const Model& model_;
  std::vector<mat4> modelFromNode_;
  Bounds bounds_;
  NodeReach out_;
};

} // namespace

FewerKeys fewerKeys(const Model& model, double limit) {
  const NodeReach reach = nodeReach(model);
  PosedPoints points(model);
  FewerKeys out;
  for (const Clip& clip : model.clips) {
    // Errors of joints add up along a chain; how much, the vertices tell.
    double tolerance = limit * reach.size;
    Clip fewer;
    double error = 0.0;
    for (int attempt = 0; attempt < 8; ++attempt, tolerance *= 0.6) {
      fewer = reduced(model, clip, reach, tolerance);
      error = largestMove(model, clip, fewer, points) / reach.size;
      if (error <= limit) break;
      fewer = clip; // where no attempt succeeds
      error = 0.0;
    }
    out.error = std::max(out.error, error);
    out.clips.push_back(std::move(fewer));
  }
  return out;
}

NodeReach nodeReach(const Model& model) {
  return ReachFinder(model).find();
}

} // namespace sinew
