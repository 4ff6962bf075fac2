#include "animation/pose_lanes.h"

#include "core/affine.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sinew {
namespace {

// Cosines of half the turn from one key to the next, and the terms that slerpWeight() takes there.
constexpr float kFineCosine = 0.97f; // 28 degrees
constexpr float kWideCosine = 0.7f;  // 91 degrees
constexpr int kFineTerms = 3;
constexpr int kWideTerms = 8;

// ---- Making a clip ready.

class Lines {
 public:
  explicit Lines(std::vector<std::vector<float>>& lines) : lines_(lines) {}
  std::uint32_t of(const std::vector<float>& times) {
    const auto [found, isNew] = known_.emplace(times, static_cast<std::uint32_t>(lines_.size()));
    if (isNew) lines_.push_back(times);
    return found->second;
  }

 private:
  std::vector<std::vector<float>>& lines_;
  std::map<std::vector<float>, std::uint32_t> known_;
};

vec4 keyOf(const vec3& v) {
  return {v, 0.0f};
}
vec4 keyOf(const quat& q) {
  return {q.x, q.y, q.z, q.w};
}

template <class T>
bool holdsStill(const Track<T>& track) {
  if (track.times.size() == 1) return true;
  if (track.interpolation == Interpolation::cubic) return false;
  return std::all_of(track.values.begin(), track.values.end(),
                     [&](const T& value) { return value == track.values[0]; });
}

LaneTrack trackOf(const Track<vec3>& track) {
  return track.interpolation == Interpolation::linear ? LaneTrack::linear : LaneTrack::general;
}

LaneTrack trackOf(const Track<quat>& track) {
  if (track.interpolation != Interpolation::linear) return LaneTrack::general;
  float least = 1.0f;
  for (std::size_t i = 0; i + 1 < track.values.size(); ++i)
    least = std::min(least, glm::dot(track.values[i], track.values[i + 1]));
  if (least >= kFineCosine) return LaneTrack::linear;
  return least >= kWideCosine ? LaneTrack::wide : LaneTrack::general;
}

template <class T>
LanePart partOf(const Track<T>& track, Lines& lines, std::vector<vec4>& keys,
                std::vector<Track<T>>& general, T& still) {
  LanePart part;
  if (track.times.empty()) return part;
  if (holdsStill(track)) {
    std::uint32_t key = 0;
    still = valueAt(track, track.times[0], key);
    return part;
  }
  part.track = trackOf(track);
  part.line = lines.of(track.times);
  if (part.track == LaneTrack::general) {
    part.first = static_cast<std::uint32_t>(general.size());
    general.push_back(track);
    return part;
  }
  part.first = static_cast<std::uint32_t>(keys.size());
  for (const T& value : track.values)
    keys.push_back(keyOf(value));
  return part;
}

struct NodeTracks {
  const Track<vec3>* translation;
  const Track<quat>* rotation;
  const Track<vec3>* scale;
};

// Of every node: those of the last channel that has keys for it, as sample() has them.
std::vector<NodeTracks> tracksOf(const Hierarchy& hierarchy, const Clip& clip) {
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

float unevennessOf(const vec3& scale) {
  const vec3 squares = scale * scale;
  const float largest = std::max({squares.x, squares.y, squares.z});
  const float least = std::min({squares.x, squares.y, squares.z});
  return largest > 0.0f ? (largest - least) / largest : 1.0f;
}

float unevennessOf(const quat& rotation) {
  return 4.0f * std::abs(glm::dot(rotation, rotation) - 1.0f);
}

template <class T>
float unevennessOf(const LanePart& part, const Track<T>& track, const T& still) {
  if (part.track == LaneTrack::still) return unevennessOf(still);
  if (track.interpolation == Interpolation::cubic && std::is_same_v<T, vec3>)
    return std::numeric_limits<float>::infinity(); // the curve may leave what its keys have
  float largest = 0.0f;
  for (const T& value : track.values)
    largest = std::max(largest, unevennessOf(value));
  return track.interpolation == Interpolation::cubic ? 0.0f : largest; // rotations are made unit
}

// ---- Posing.

// The weights of the ends of an arc at the fraction t of it, sin(t a) / sin(a), by its cosine less
// 1: Eberly, "A Fast and Accurate Algorithm for Computing SLERP" (2011). No arc cosine and no sine,
// and what the terms left out have is below 2e-8 for the cosines above. Exact at 0 and 1.
template <int kTerms>
Lanes slerpWeight(const Lanes& t, const Lanes& cosineLess1) {
  const Lanes squared = t * t;
  Lanes sum = allLanes(1.0f);
  for (int i = kTerms; i >= 1; --i) {
    const auto n = static_cast<float>(i);
    const float u = 1.0f / (n * (2.0f * n + 1.0f));
    const float v = n / (2.0f * n + 1.0f);
    sum = 1.0f + (u * squared - v) * cosineLess1 * sum;
  }
  return t * sum;
}

struct FourLanes {
  Lanes x, y, z, w;
};

FourLanes loadKeys(const vec4* keys, const std::array<std::uint32_t, kLanes>& key) {
  FourLanes out;
  std::memcpy(&out.x, keys + key[0], sizeof(vec4));
  std::memcpy(&out.y, keys + key[1], sizeof(vec4));
  std::memcpy(&out.z, keys + key[2], sizeof(vec4));
  std::memcpy(&out.w, keys + key[3], sizeof(vec4));
  transposeLanes(out.x, out.y, out.z, out.w);
  return out;
}

template <int kTerms>
FourLanes slerp(const vec4* keys, const LanePlace& place) {
  const FourLanes a = loadKeys(keys, place.key);
  const FourLanes b = loadKeys(keys, place.next);
  const Lanes cosineLess1 = (a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) - 1.0f;
  const Lanes ofA = slerpWeight<kTerms>(1.0f - place.share, cosineLess1);
  const Lanes ofB = slerpWeight<kTerms>(place.share, cosineLess1);
  return {ofA * a.x + ofB * b.x, ofA * a.y + ofB * b.y, ofA * a.z + ofB * b.z,
          ofA * a.w + ofB * b.w};
}

// Numbers of four characters, `at(l)` those of character l: x y z w.
template <class At>
FourLanes gather(const At& at) {
  FourLanes out;
  std::memcpy(&out.x, &at(0), sizeof(vec4));
  std::memcpy(&out.y, &at(1), sizeof(vec4));
  std::memcpy(&out.z, &at(2), sizeof(vec4));
  std::memcpy(&out.w, &at(3), sizeof(vec4));
  transposeLanes(out.x, out.y, out.z, out.w);
  return out;
}

// As valueAt() has it of a cubic track: on the spline, made unit. At a key the same bits.
FourLanes onSpline(const Track<quat>& track, const std::vector<float>& times,
                   const LanePlace& place) {
  static_assert(sizeof(quat) == sizeof(vec4));
  const FourLanes from = gather([&](std::size_t l) -> auto& { return track.values[place.key[l]]; });
  const FourLanes to = gather([&](std::size_t l) -> auto& { return track.values[place.next[l]]; });
  const FourLanes out =
      gather([&](std::size_t l) -> auto& { return track.tangents[place.key[l]][1]; });
  const FourLanes in =
      gather([&](std::size_t l) -> auto& { return track.tangents[place.next[l]][0]; });
  Lanes span{};
  for (std::size_t l = 0; l < kLanes; ++l)
    span[l] = times[place.next[l]] - times[place.key[l]];
  const Lanes t = place.share, t2 = t * t, t3 = t2 * t;
  const Lanes ofFrom = 2.0f * t3 - 3.0f * t2 + 1.0f;
  const Lanes ofOut = span * (t3 - 2.0f * t2 + t);
  const Lanes ofTo = 3.0f * t2 - 2.0f * t3;
  const Lanes ofIn = span * (t3 - t2);
  const auto mix = [&](const Lanes& a, const Lanes& m, const Lanes& b, const Lanes& n) {
    return a * ofFrom + m * ofOut + b * ofTo + n * ofIn;
  };
  FourLanes q{mix(from.x, out.x, to.x, in.x), mix(from.y, out.y, to.y, in.y),
              mix(from.z, out.z, to.z, in.z), mix(from.w, out.w, to.w, in.w)};
  const Lanes squared = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z);
  Lanes length{}, none{};
  for (std::size_t l = 0; l < kLanes; ++l) {
    const bool isNone = !(squared[l] > 0.0f); // no rotation at all
    length[l] = isNone ? 1.0f : std::sqrt(squared[l]);
    none[l] = isNone ? 1.0f : 0.0f;
  }
  return {q.x / length, q.y / length, q.z / length, q.w / length + none};
}

FourLanes rotationOf(const ClipLanes& clip, const NodeLanes& node, const PoseLanes& pose) {
  const LanePart& part = node.rotation;
  const quat& still = node.still.rotation;
  switch (part.track) {
  case LaneTrack::still:
    return {allLanes(still.x), allLanes(still.y), allLanes(still.z), allLanes(still.w)};
  case LaneTrack::linear:
    return slerp<kFineTerms>(clip.keys.data() + part.first, pose.places[part.line]);
  case LaneTrack::wide:
    return slerp<kWideTerms>(clip.keys.data() + part.first, pose.places[part.line]);
  case LaneTrack::general:
    break;
  }
  const Track<quat>& track = clip.rotations[part.first];
  if (track.interpolation == Interpolation::cubic)
    return onSpline(track, clip.lines[part.line], pose.places[part.line]);
  FourLanes out;
  for (std::size_t l = 0; l < kLanes; ++l) {
    std::uint32_t key = pose.places[part.line].key[l];
    const quat q = valueAt(track, pose.times[l], key);
    out.x[l] = q.x;
    out.y[l] = q.y;
    out.z[l] = q.z;
    out.w[l] = q.w;
  }
  return out;
}

struct ThreeLanes {
  Lanes x, y, z;
};

ThreeLanes vectorOf(const ClipLanes& clip, const LanePart& part, const vec3& still,
                    const PoseLanes& pose) {
  if (part.track == LaneTrack::still)
    return {allLanes(still.x), allLanes(still.y), allLanes(still.z)};
  const LanePlace& place = pose.places[part.line];
  if (part.track == LaneTrack::linear) {
    const FourLanes a = loadKeys(clip.keys.data() + part.first, place.key);
    const FourLanes b = loadKeys(clip.keys.data() + part.first, place.next);
    return {a.x + place.share * (b.x - a.x), a.y + place.share * (b.y - a.y),
            a.z + place.share * (b.z - a.z)};
  }
  ThreeLanes out;
  for (std::size_t l = 0; l < kLanes; ++l) {
    std::uint32_t key = place.key[l];
    const vec3 v = valueAt(clip.vectors[part.first], pose.times[l], key);
    out.x[l] = v.x;
    out.y[l] = v.y;
    out.z[l] = v.z;
  }
  return out;
}

// As matrixOf(), in the same order.
AffineLanes parentFromNode(const ClipLanes& clip, const NodeLanes& node, const PoseLanes& pose) {
  AffineLanes m;
  Lanes* e = m.entries;
  const auto [x, y, z, w] = rotationOf(clip, node, pose);
  const Lanes xx = x * x, yy = y * y, zz = z * z;
  const Lanes xy = x * y, xz = x * z, yz = y * z;
  const Lanes wx = w * x, wy = w * y, wz = w * z;
  e[0] = 1.0f - 2.0f * (yy + zz);
  e[4] = 2.0f * (xy + wz);
  e[8] = 2.0f * (xz - wy);
  e[1] = 2.0f * (xy - wz);
  e[5] = 1.0f - 2.0f * (xx + zz);
  e[9] = 2.0f * (yz + wx);
  e[2] = 2.0f * (xz + wy);
  e[6] = 2.0f * (yz - wx);
  e[10] = 1.0f - 2.0f * (xx + yy);
  if (node.scaled) {
    const ThreeLanes scale = vectorOf(clip, node.scale, node.still.scale, pose);
    for (int r = 0; r < 12; r += 4) {
      e[r] *= scale.x;
      e[r + 1] *= scale.y;
      e[r + 2] *= scale.z;
    }
  }
  const ThreeLanes moved = vectorOf(clip, node.translation, node.still.translation, pose);
  e[3] = moved.x;
  e[7] = moved.y;
  e[11] = moved.z;
  return m;
}

void findPlaces(const ClipLanes& clip, LaneCursor& cursor, PoseLanes& out) {
  cursor.keys.resize(clip.lines.size());
  out.places.resize(clip.lines.size());
  for (std::size_t i = 0; i < clip.lines.size(); ++i) {
    const std::vector<float>& times = clip.lines[i];
    LanePlace& place = out.places[i];
    for (std::size_t l = 0; l < kLanes; ++l) {
      const float time = out.times[l];
      const std::uint32_t key = findKey(times, time, cursor.keys[i][l]);
      const bool between = time > times[key] && key + 1 < times.size();
      cursor.keys[i][l] = place.key[l] = key;
      place.next[l] = between ? key + 1 : key;
      place.share[l] = between ? (time - times[key]) / (times[key + 1] - times[key]) : 0.0f;
    }
  }
}

} // namespace

float unevennessOf(const mat3& m) {
  const float xx = glm::dot(m[0], m[0]);
  const float yy = glm::dot(m[1], m[1]);
  const float zz = glm::dot(m[2], m[2]);
  const float largest = std::max({xx, yy, zz});
  const float off = std::max({std::abs(xx - yy), std::abs(yy - zz), std::abs(zz - xx),
                              std::abs(glm::dot(m[0], m[1])), std::abs(glm::dot(m[1], m[2])),
                              std::abs(glm::dot(m[2], m[0]))});
  return largest > 0.0f ? off / largest : 1.0f;
}

ClipLanes prepareLanes(const Hierarchy& hierarchy, const Clip& clip) {
  ClipLanes out;
  out.seconds = clip.seconds;
  Lines lines(out.lines);
  const std::vector<NodeTracks> tracks = tracksOf(hierarchy, clip);
  for (std::size_t i = 0; i < hierarchy.nodes.size(); ++i) {
    const NodeTracks& of = tracks[i];
    const std::uint32_t parent = hierarchy.nodes[i].parent;
    NodeLanes node;
    node.parent = parent;
    node.still = hierarchy.nodes[i].rest;
    node.translation =
        partOf(*of.translation, lines, out.keys, out.vectors, node.still.translation);
    node.rotation = partOf(*of.rotation, lines, out.keys, out.rotations, node.still.rotation);
    node.scale = partOf(*of.scale, lines, out.keys, out.vectors, node.still.scale);
    const NodeLanes* above = parent == kNoNode ? nullptr : &out.nodes[parent];
    node.moves = node.translation.track != LaneTrack::still ||
                 node.rotation.track != LaneTrack::still || node.scale.track != LaneTrack::still ||
                 (above != nullptr && above->moves);
    node.scaled = node.scale.track != LaneTrack::still || node.still.scale != vec3(1.0f);
    node.unevenness = unevennessOf(node.rotation, *of.rotation, node.still.rotation) +
                      unevennessOf(node.scale, *of.scale, node.still.scale);
    if (above != nullptr) node.unevenness += above->unevenness;
    if (!node.moves) {
      node.modelFromNode = matrixOf(node.still);
      if (above != nullptr)
        node.modelFromNode = affineProduct(above->modelFromNode, node.modelFromNode);
    }
    out.nodes.push_back(node);
  }
  return out;
}

void poseLanes(const ClipLanes& clip, std::span<const float, kLanes> times, LaneCursor& cursor,
               PoseLanes& out) {
  for (std::size_t l = 0; l < kLanes; ++l)
    out.times[l] = wrapTime(times[l], clip.seconds, Wrap::loop);
  findPlaces(clip, cursor, out);
  out.modelFromNode.resize(clip.nodes.size());
  for (std::size_t i = 0; i < clip.nodes.size(); ++i) {
    const NodeLanes& node = clip.nodes[i];
    if (!node.moves)
      out.modelFromNode[i] = allLanes(node.modelFromNode);
    else if (node.parent == kNoNode)
      out.modelFromNode[i] = parentFromNode(clip, node, out);
    else
      out.modelFromNode[i] =
          affineProduct(out.modelFromNode[node.parent], parentFromNode(clip, node, out));
  }
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
