#include "animation/pose_lanes.h"

#include "core/affine.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace sinew {
namespace {

// Cosines of half the turn from one key to the next, of which lane_kernels.cpp sums its terms.
constexpr float kFineCosine = 0.97f; // 28 degrees
constexpr float kWideCosine = 0.7f;  // 91 degrees

// The lists that the keys of all tracks go to.
struct KeyLists {
  std::vector<std::vector<float>>& lines;
  std::vector<vec4>& keys;
  ClipNoise noise;
  std::map<std::vector<float>, std::uint32_t> known{}; // the lines

  std::uint32_t addLine(const std::vector<float>& times) {
    const auto [found, isNew] = known.emplace(times, static_cast<std::uint32_t>(lines.size()));
    if (isNew) lines.push_back(times);
    return found->second;
  }
};

vec4 packKey(const vec3& v) {
  return {v, 0.0f};
}
vec4 packKey(const quat& q) {
  return {q.x, q.y, q.z, q.w};
}

float computeTolerance(const vec3& largest, ClipNoise noise) {
  return noise == ClipNoise::exact ? 0.0f
                                   : kStillNoise * std::max({largest.x, largest.y, largest.z});
}
float computeTolerance(const quat& /*largest*/, ClipNoise noise) {
  return noise == ClipNoise::exact ? 0.0f : kStillRotation;
}

// The middle of a track's values where they do not move, or by noise that is held.
template <class T>
std::optional<T> stillValue(const Track<T>& track, ClipNoise held) {
  const std::span<const T> values(track.values);
  T low = values[0], high = values[0], largest = values[0];
  for (const T& value : values)
    for (int i = 0; i < T::length(); ++i) {
      low[i] = std::min(low[i], value[i]);
      high[i] = std::max(high[i], value[i]);
      largest[i] = std::max(std::abs(low[i]), std::abs(high[i]));
    }
  const float noise = computeTolerance(largest, held);
  for (int i = 0; i < T::length(); ++i)
    if (!(high[i] - low[i] <= noise)) return std::nullopt;
  if (track.interpolation == Interpolation::cubic && track.times.size() > 1) {
    // A tangent moves the curve by less than it would lead to in the whole time.
    const float seconds = track.times.back() - track.times.front();
    for (const auto& tangents : track.tangents)
      for (const T& tangent : tangents)
        for (int i = 0; i < T::length(); ++i)
          if (!(std::abs(seconds * tangent[i]) <= noise)) return std::nullopt;
  }
  const Track<T> middle{{0.0f}, {low + 0.5f * (high - low)}, track.interpolation};
  std::uint32_t key = 0;
  return valueAt(middle, 0.0f, key); // cubic rotations are made unit
}

LaneTrack classifyTrack(const Track<vec3>& track) {
  return track.interpolation == Interpolation::linear ? LaneTrack::linear : LaneTrack::general;
}

LaneTrack classifyTrack(const Track<quat>& track) {
  if (track.interpolation == Interpolation::cubic) return LaneTrack::cubic;
  if (track.interpolation != Interpolation::linear) return LaneTrack::general;
  float least = 1.0f;
  for (std::size_t i = 0; i + 1 < track.values.size(); ++i)
    least = std::min(least, glm::dot(track.values[i], track.values[i + 1]));
  if (least >= kFineCosine) return LaneTrack::linear;
  return least >= kWideCosine ? LaneTrack::wide : LaneTrack::general;
}

template <class T>
LanePart makeLanePart(const Track<T>& track, KeyLists& lists, std::vector<Track<T>>& general,
                      T& still) {
  LanePart part;
  if (track.times.empty()) return part;
  if (const std::optional<T> value = stillValue(track, lists.noise)) {
    still = *value;
    return part;
  }
  part.track = classifyTrack(track);
  part.line = lists.addLine(track.times);
  if (part.track == LaneTrack::general) {
    part.first = static_cast<std::uint32_t>(general.size());
    general.push_back(track);
    return part;
  }
  part.first = static_cast<std::uint32_t>(lists.keys.size());
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    lists.keys.push_back(packKey(track.values[i]));
    if (part.track != LaneTrack::cubic) continue;
    lists.keys.push_back(packKey(track.tangents[i][1]));
    lists.keys.push_back(packKey(track.tangents[i][0]));
  }
  return part;
}

struct NodeTracks {
  const Track<vec3>* translation;
  const Track<quat>* rotation;
  const Track<vec3>* scale;
};

// Every node's tracks: those of the last channel that has keys for it, as in sample().
std::vector<NodeTracks> listTracks(const Hierarchy& hierarchy, const Clip& clip) {
  static const Track<vec3> noVectors;
  static const Track<quat> noRotations;
  std::vector<NodeTracks> tracks(hierarchy.nodes.size(), {&noVectors, &noRotations, &noVectors});
  for (const Channel& channel : clip.channels) {
    NodeTracks& of = tracks[channel.node];
    if (!channel.translation.times.empty()) of.translation = &channel.translation;
    if (!channel.rotation.times.empty()) of.rotation = &channel.rotation;
    if (!channel.scale.times.empty()) of.scale = &channel.scale;
  }
  return tracks;
}

float measureUnevenness(const vec3& scale) {
  const vec3 squares = scale * scale;
  const float largest = std::max({squares.x, squares.y, squares.z});
  const float least = std::min({squares.x, squares.y, squares.z});
  return largest > 0.0f ? (largest - least) / largest : 1.0f;
}

float measureUnevenness(const quat& rotation) {
  return 4.0f * std::abs(glm::dot(rotation, rotation) - 1.0f);
}

// A track that is held still counts too: its noise is unevenness.
template <class T>
float measureUnevenness(const LanePart& part, const Track<T>& track, const T& still) {
  if (track.times.empty()) return measureUnevenness(still);
  if (part.track != LaneTrack::still && track.interpolation == Interpolation::cubic &&
      std::is_same_v<T, vec3>)
    return std::numeric_limits<float>::infinity(); // the curve may leave what its keys have
  float largest = 0.0f;
  for (const T& value : track.values)
    largest = std::max(largest, measureUnevenness(value));
  const bool madeUnit = std::is_same_v<T, quat> && track.interpolation == Interpolation::cubic;
  return madeUnit ? 0.0f : largest;
}

} // namespace

float measureUnevenness(const mat3& m) {
  const float xx = glm::dot(m[0], m[0]);
  const float yy = glm::dot(m[1], m[1]);
  const float zz = glm::dot(m[2], m[2]);
  const float largest = std::max({xx, yy, zz});
  const float off = std::max({std::abs(xx - yy), std::abs(yy - zz), std::abs(zz - xx),
                              std::abs(glm::dot(m[0], m[1])), std::abs(glm::dot(m[1], m[2])),
                              std::abs(glm::dot(m[2], m[0]))});
  return largest > 0.0f ? off / largest : 1.0f;
}

ClipLanes prepareLanes(const Hierarchy& hierarchy, const Clip& clip, ClipNoise noise) {
  ClipLanes out;
  out.seconds = clip.seconds;
  KeyLists lists{out.lines, out.keys, noise};
  const std::vector<NodeTracks> tracks = listTracks(hierarchy, clip);
  for (std::size_t i = 0; i < hierarchy.nodes.size(); ++i) {
    const NodeTracks& of = tracks[i];
    const std::uint32_t parent = hierarchy.nodes[i].parent;
    NodeLanes node;
    node.parent = parent;
    node.still = hierarchy.nodes[i].rest;
    node.translation = makeLanePart(*of.translation, lists, out.vectors, node.still.translation);
    node.rotation = makeLanePart(*of.rotation, lists, out.rotations, node.still.rotation);
    node.scale = makeLanePart(*of.scale, lists, out.vectors, node.still.scale);
    const NodeLanes* above = parent == kNoNode ? nullptr : &out.nodes[parent];
    node.own = node.translation.track != LaneTrack::still ||
               node.rotation.track != LaneTrack::still || node.scale.track != LaneTrack::still;
    node.moves = node.own || (above != nullptr && above->moves);
    node.scaled = node.scale.track != LaneTrack::still || node.still.scale != vec3(1.0f);
    node.unevenness = measureUnevenness(node.rotation, *of.rotation, node.still.rotation) +
                      measureUnevenness(node.scale, *of.scale, node.still.scale);
    if (above != nullptr) node.unevenness += above->unevenness;
    node.parentFromNode = toMatrix(node.still);
    if (!node.moves)
      node.modelFromNode = above == nullptr
                               ? node.parentFromNode
                               : affineProduct(above->modelFromNode, node.parentFromNode);
    out.nodes.push_back(node);
  }
  return out;
}

void takeLane(const PoseLanes& lanes, std::size_t lane, std::vector<mat4>& out) {
  out.resize(lanes.modelFromNode.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Lanes* e = lanes.modelFromNode[i].entries;
    for (int c = 0; c < 4; ++c)
      out[i][c] = {e[c][lane], e[4 + c][lane], e[8 + c][lane], c == 3 ? 1.0f : 0.0f};
  }
}

} // namespace sinew
