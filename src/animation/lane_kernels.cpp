#include "animation/pose_lanes.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

// Compiled once for each kind of vector instructions, as cpu_skin/skin_kernels.cpp is.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "animation/lane_kernels.cpp"
// clang-format off
#include "core/vector_targets.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "animation/lane_math-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {
namespace {

// Terms of the series in slerpWeight(), for rotations by less than 28 and 91 degrees between keys.
constexpr int kFineTerms = 3;
constexpr int kWideTerms = 8;

// The weights of the ends of an arc at the fraction t of it, sin(t a) / sin(a), by its cosine less
// 1: Eberly, "A Fast and Accurate Algorithm for Computing SLERP" (2011). No arc cosine and no sine;
// the error of the series is below 2e-8 for those angles. Exact at 0 and 1.
template <int kTerms>
HWY_INLINE LaneVector slerpWeight(LaneVector t, LaneVector cosineLess1) {
  const LaneVector squared = times(t, t);
  LaneVector sum = allLanes(1.0f);
  for (int i = kTerms; i >= 1; --i) {
    const auto n = static_cast<float>(i);
    const LaneVector u = allLanes(1.0f / (n * (2.0f * n + 1.0f)));
    const LaneVector v = allLanes(n / (2.0f * n + 1.0f));
    sum = plus(allLanes(1.0f), times(times(minus(times(u, squared), v), cosineLess1), sum));
  }
  return times(t, sum);
}

// One vector per lane: a key has `each` of them, of which this is number `which`.
HWY_INLINE FourVectors loadKeys(const vec4* keys, const std::array<std::uint32_t, kLanes>& key,
                                std::size_t first, std::uint32_t each = 1,
                                std::uint32_t which = 0) {
  return loadFours(first, [&](std::size_t l) HWY_ATTR { return &keys[each * key[l] + which].x; });
}

template <int kTerms>
HWY_INLINE FourVectors slerp(const vec4* keys, const LanePlace& place, std::size_t first) {
  const FourVectors a = loadKeys(keys, place.key, first);
  const FourVectors b = loadKeys(keys, place.next, first);
  const LaneVector one = allLanes(1.0f), share = load(place.share, first);
  const LaneVector cosine = plus(sum3(a.x, b.x, a.y, b.y, a.z, b.z), times(a.w, b.w));
  const LaneVector cosineLess1 = minus(cosine, one);
  const LaneVector ofA = slerpWeight<kTerms>(minus(one, share), cosineLess1);
  const LaneVector ofB = slerpWeight<kTerms>(share, cosineLess1);
  const auto mix = [&](LaneVector from, LaneVector to)
                       HWY_ATTR { return plus(times(ofA, from), times(ofB, to)); };
  return {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)};
}

// As valueAt() for cubic tracks: a Hermite spline, then normalised. Bit-identical at keys.
HWY_INLINE FourVectors onSpline(const vec4* keys, const LanePlace& place, std::size_t first) {
  const FourVectors from = loadKeys(keys, place.key, first, 3);
  const FourVectors out = loadKeys(keys, place.key, first, 3, 1);
  const FourVectors to = loadKeys(keys, place.next, first, 3);
  const FourVectors in = loadKeys(keys, place.next, first, 3, 2);
  const LaneVector span = load(place.span, first), t = load(place.share, first);
  const LaneVector t2 = times(t, t), t3 = times(t2, t);
  const LaneVector one = allLanes(1.0f), two = allLanes(2.0f), three = allLanes(3.0f);
  const LaneVector ofFrom = plus(minus(times(two, t3), times(three, t2)), one);
  const LaneVector ofOut = times(span, plus(minus(t3, times(two, t2)), t));
  const LaneVector ofTo = minus(times(three, t2), times(two, t3));
  const LaneVector ofIn = times(span, minus(t3, t2));
  const auto mix = [&](LaneVector a, LaneVector m, LaneVector b, LaneVector n) HWY_ATTR {
    return plus(sum3(a, ofFrom, m, ofOut, b, ofTo), times(n, ofIn));
  };
  const FourVectors q{mix(from.x, out.x, to.x, in.x), mix(from.y, out.y, to.y, in.y),
                      mix(from.z, out.z, to.z, in.z), mix(from.w, out.w, to.w, in.w)};
  const LaneVector squared =
      plus(plus(times(q.w, q.w), times(q.x, q.x)), plus(times(q.y, q.y), times(q.z, q.z)));
  const auto some = hn::Gt(squared, hn::Zero(LaneTag())); // else no rotation at all
  const LaneVector length = hn::IfThenElse(some, hn::Sqrt(squared), one);
  return {hn::Div(q.x, length), hn::Div(q.y, length), hn::Div(q.z, length),
          plus(hn::Div(q.w, length), hn::IfThenZeroElse(some, one))};
}

// One character after the other.
HWY_INLINE FourVectors rotationsAlone(const Track<quat>& track, const PoseLanes& pose,
                                      const LanePlace& place, std::size_t first) {
  std::array<vec4, kLanes> own;
  for (std::size_t l = first; l < first + hn::Lanes(LaneTag()); ++l) {
    std::uint32_t key = place.key[l];
    const quat q = valueAt(track, pose.times[l], key);
    own[l] = {q.x, q.y, q.z, q.w};
  }
  return loadFours(first, [&](std::size_t l) HWY_ATTR { return &own[l].x; });
}

HWY_INLINE FourVectors vectorsAlone(const Track<vec3>& track, const PoseLanes& pose,
                                    const LanePlace& place, std::size_t first) {
  std::array<vec4, kLanes> own;
  for (std::size_t l = first; l < first + hn::Lanes(LaneTag()); ++l) {
    std::uint32_t key = place.key[l];
    own[l] = vec4(valueAt(track, pose.times[l], key), 0.0f);
  }
  return loadFours(first, [&](std::size_t l) HWY_ATTR { return &own[l].x; });
}

HWY_INLINE FourVectors sampleRotation(const ClipLanes& clip, const NodeLanes& node,
                                      const PoseLanes& pose, std::size_t first) {
  const LanePart& part = node.rotation;
  if (part.track == LaneTrack::still) {
    const quat& still = node.still.rotation;
    return {allLanes(still.x), allLanes(still.y), allLanes(still.z), allLanes(still.w)};
  }
  const LanePlace& place = pose.places[part.line];
  const vec4* keys = clip.keys.data() + part.first;
  switch (part.track) {
  case LaneTrack::linear:
    return slerp<kFineTerms>(keys, place, first);
  case LaneTrack::wide:
    return slerp<kWideTerms>(keys, place, first);
  case LaneTrack::cubic:
    return onSpline(keys, place, first);
  default:
    return rotationsAlone(clip.rotations[part.first], pose, place, first);
  }
}

HWY_INLINE FourVectors sampleVector(const ClipLanes& clip, const LanePart& part, const vec3& still,
                                    const PoseLanes& pose, std::size_t first) {
  if (part.track == LaneTrack::still)
    return {allLanes(still.x), allLanes(still.y), allLanes(still.z), hn::Zero(LaneTag())};
  const LanePlace& place = pose.places[part.line];
  if (part.track == LaneTrack::general)
    return vectorsAlone(clip.vectors[part.first], pose, place, first);
  const FourVectors a = loadKeys(clip.keys.data() + part.first, place.key, first);
  const FourVectors b = loadKeys(clip.keys.data() + part.first, place.next, first);
  const LaneVector share = load(place.share, first);
  const auto between = [&](LaneVector from, LaneVector to)
                           HWY_ATTR { return plus(from, times(share, minus(to, from))); };
  return {between(a.x, b.x), between(a.y, b.y), between(a.z, b.z), hn::Zero(LaneTag())};
}

// As toMatrix(), in the same order.
HWY_INLINE AffineVectors parentFromNode(const ClipLanes& clip, const NodeLanes& node,
                                        const PoseLanes& pose, std::size_t first) {
  AffineVectors m;
  LaneVector* e = m.entries;
  const auto [x, y, z, w] = sampleRotation(clip, node, pose, first);
  const LaneVector xx = times(x, x), yy = times(y, y), zz = times(z, z);
  const LaneVector xy = times(x, y), xz = times(x, z), yz = times(y, z);
  const LaneVector wx = times(w, x), wy = times(w, y), wz = times(w, z);
  const LaneVector one = allLanes(1.0f), two = allLanes(2.0f);
  e[0] = minus(one, times(two, plus(yy, zz)));
  e[4] = times(two, plus(xy, wz));
  e[8] = times(two, minus(xz, wy));
  e[1] = times(two, minus(xy, wz));
  e[5] = minus(one, times(two, plus(xx, zz)));
  e[9] = times(two, plus(yz, wx));
  e[2] = times(two, plus(xz, wy));
  e[6] = times(two, minus(yz, wx));
  e[10] = minus(one, times(two, plus(xx, yy)));
  if (node.scaled) {
    const FourVectors scale = sampleVector(clip, node.scale, node.still.scale, pose, first);
    for (int r = 0; r < 12; r += 4) {
      e[r] = times(e[r], scale.x);
      e[r + 1] = times(e[r + 1], scale.y);
      e[r + 2] = times(e[r + 2], scale.z);
    }
  }
  const FourVectors moved =
      sampleVector(clip, node.translation, node.still.translation, pose, first);
  e[3] = moved.x;
  e[7] = moved.y;
  e[11] = moved.z;
  return m;
}

HWY_INLINE AffineVectors shared(const mat4& m) {
  AffineVectors out;
  for (int i = 0; i < 12; ++i)
    out.entries[i] = allLanes(m[i % 4][i / 4]);
  return out;
}

HWY_INLINE AffineVectors modelFromNode(const ClipLanes& clip, const NodeLanes& node,
                                       const PoseLanes& pose, std::size_t first) {
  if (!node.moves) return shared(node.modelFromNode);
  if (node.parent == kNoNode) return parentFromNode(clip, node, pose, first);
  const AffineLanes& parent = pose.modelFromNode[node.parent];
  if (!node.own) return affineProduct(parent, first, node.parentFromNode);
  const AffineVectors own = parentFromNode(clip, node, pose, first);
  return affineProduct(parent, first, [&](std::size_t i) HWY_ATTR { return own.entries[i]; });
}

void poseNodes(const ClipLanes& clip, PoseLanes& out) {
  for (std::size_t i = 0; i < clip.nodes.size(); ++i)
    for (std::size_t first = 0; first < kLanes; first += hn::Lanes(LaneTag())) {
      const AffineVectors m = modelFromNode(clip, clip.nodes[i], out, first);
      for (std::size_t e = 0; e < 12; ++e)
        store(m.entries[e], out.modelFromNode[i].entries[e], first);
    }
}

} // namespace
} // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
namespace {
HWY_EXPORT(poseNodes);

void findPlaces(const ClipLanes& clip, LaneCursor& cursor, PoseLanes& out) {
  cursor.keys.resize(clip.lines.size());
  out.places.resize(clip.lines.size());
  for (std::size_t i = 0; i < clip.lines.size(); ++i) {
    const std::vector<float>& times = clip.lines[i];
    LanePlace& place = out.places[i];
    Lanes past;
    for (std::size_t l = 0; l < kLanes; ++l) {
      const float time = out.times[l];
      const std::uint32_t key = findKey(times, time, cursor.keys[i][l]);
      const bool between = time > times[key] && key + 1 < times.size();
      cursor.keys[i][l] = place.key[l] = key;
      place.next[l] = between ? key + 1 : key;
      place.span[l] = times[place.next[l]] - times[key];
      past[l] = between ? time - times[key] : 0.0f;
    }
    for (std::size_t l = 0; l < kLanes; ++l)
      place.share[l] = past[l] / (place.next[l] == place.key[l] ? 1.0f : place.span[l]);
  }
}

} // namespace

void poseLanes(const ClipLanes& clip, std::span<const float, kLanes> times, LaneCursor& cursor,
               PoseLanes& out) {
  for (std::size_t l = 0; l < kLanes; ++l)
    out.times[l] = wrapTime(times[l], clip.seconds, Wrap::loop);
  findPlaces(clip, cursor, out);
  out.modelFromNode.resize(clip.nodes.size());
  HWY_DYNAMIC_DISPATCH(poseNodes)(clip, out);
}

} // namespace sinew
#endif
