#include "import/track_sampler.h"

#include <glm/common.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

using glm::dquat;
using glm::dvec3;

constexpr int kMaxHalvings = 9;                        // between two given moments
constexpr std::size_t kMaxKeys = std::size_t{1} << 16; // per track, beyond those at given moments

double largest(double v) {
  return std::abs(v);
}
double largest(const dvec3& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}
double largest(const dquat& q) {
  return std::max({std::abs(q.x), std::abs(q.y), std::abs(q.z), std::abs(q.w)});
}

template <class T>
T lerped(const T& a, const T& b, double t) {
  return a + (b - a) * t;
}
// As a linear track is played.
dquat lerped(const dquat& a, const dquat& b, double t) {
  return glm::slerp(a, b, t);
}

// As a cubic track is played: a Hermite spline, normalised if it is a rotation.
template <class T>
T finished(const T& value) {
  return value;
}
dquat finished(const dquat& q) {
  return glm::normalize(q);
}

float toTrack(double v) {
  return static_cast<float>(v);
}
vec3 toTrack(const dvec3& v) {
  return vec3(v);
}
quat toTrack(const dquat& q) {
  return quat(q);
}

// Opposite quaternions are one rotation: the one nearer to another.
template <class T>
const T& near(const T& value, const T& /*other*/) {
  return value;
}
dquat near(const dquat& q, const dquat& other) {
  return glm::dot(q, other) < 0.0 ? -q : q;
}

template <class T>
struct Piece {
  double start = 0.0, end = 0.0;
  T from{}, to{};        // inside the piece
  T leaving{}, coming{}; // their change per second
};

template <class T>
T hermite(const Piece<T>& p, double t) {
  const double length = p.end - p.start;
  const double t2 = t * t;
  const double t3 = t2 * t;
  return finished(p.from * (2.0 * t3 - 3.0 * t2 + 1.0) +
                  p.leaving * (length * (t3 - 2.0 * t2 + t)) + p.to * (3.0 * t2 - 2.0 * t3) +
                  p.coming * (length * (t3 - t2)));
}

template <class T>
class Sampler {
 public:
  using Value = std::function<T(double)>;
  Sampler(const SampleTimes& at, const Value& value, double tolerance)
      : at_(at), value_(value), tolerance_(tolerance) {}

  template <class Out>
  Track<Out> sample(std::size_t& missed) {
    Track<Out> track;
    if (at_.stepped || at_.times.size() == 1) {
      track.interpolation = Interpolation::step;
      for (const double time : at_.times)
        addKey(time, value_(time), track);
    } else if (findLinear()) {
      writePieces(false, track);
    } else {
      missed += findCubic() ? 0 : 1;
      track.interpolation = Interpolation::cubic;
      writePieces(true, track);
    }
    if (isStill(track)) track = {{0.0f}, {track.values.front()}};
    return track;
  }

 private:
  Piece<T> piece(double start, double end) const {
    Piece<T> p;
    p.start = start;
    p.end = end;
    p.from = value_(start);
    p.to = inside(p, 1.0);
    return p;
  }

  // The value at a fraction of a piece; at its end the one that it comes to before it may jump.
  T inside(const Piece<T>& p, double t) const {
    constexpr double kBeforeEnd = 1.0 - 1e-9;
    return near(value_(p.start + std::min(t, kBeforeEnd) * (p.end - p.start)), p.from);
  }

  void findSlopes(Piece<T>& p) const {
    constexpr double kStep = 1e-4;
    const double across = 2.0 * kStep * (p.end - p.start);
    p.leaving = (inside(p, kStep) * 4.0 - p.from * 3.0 - inside(p, 2.0 * kStep)) / across;
    p.coming = (p.to * 3.0 - inside(p, 1.0 - kStep) * 4.0 + inside(p, 1.0 - 2.0 * kStep)) / across;
  }

  template <class Played>
  bool fits(const Piece<T>& p, const Played& played) const {
    for (const double t : {0.25, 0.5, 0.75}) {
      const T exact = inside(p, t);
      if (!(largest(near(played(t), exact) - exact) <= tolerance_)) return false;
    }
    return true;
  }

  bool findLinear() {
    for (std::size_t i = 0; i + 1 < at_.times.size(); ++i) {
      const Piece<T> p = piece(at_.times[i], at_.times[i + 1]);
      if (!fits(p, [&](double t) { return lerped(p.from, p.to, t); })) return false;
      pieces_.push_back(p);
    }
    return true;
  }

  // Halves pieces until they fit; false where some stay that do not.
  bool findCubic() {
    struct Open {
      double start, end;
      int halvings;
    };
    pieces_.clear();
    std::vector<Open> open;
    for (std::size_t i = at_.times.size() - 1; i-- > 0;)
      open.push_back({at_.times[i], at_.times[i + 1], 0});
    bool all = true;
    std::size_t added = 0;
    while (!open.empty()) {
      const Open next = open.back();
      open.pop_back();
      Piece<T> p = piece(next.start, next.end);
      findSlopes(p);
      const bool fine = fits(p, [&](double t) { return hermite(p, t); });
      if (fine || next.halvings == kMaxHalvings || added >= kMaxKeys) {
        pieces_.push_back(p);
        all = all && fine;
        continue;
      }
      ++added;
      const double middle = 0.5 * (next.start + next.end);
      open.push_back({middle, next.end, next.halvings + 1});
      open.push_back({next.start, middle, next.halvings + 1});
    }
    return all;
  }

  template <class Out>
  void writePieces(bool cubic, Track<Out>& track) const {
    T last = pieces_.front().from;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Piece<T>& p = pieces_[i];
      const bool first = i == 0;
      const T from = near(p.from, last);
      const bool jumps = !first && largest(from - last) > tolerance_;
      const double sign = largest(from - p.from) > 0.5 ? -1.0 : 1.0; // -1: a negated quaternion
      if (first || jumps) addKey(p.start, from, track);
      if (cubic && (first || jumps)) track.tangents.push_back({Out{}, Out{}});
      if (cubic) track.tangents.back()[1] = toTrack(p.leaving * sign);
      const bool beforeJump =
          i + 1 < pieces_.size() && largest(near(pieces_[i + 1].from, p.to) - p.to) > tolerance_;
      last = p.to * sign;
      addKey(p.end, last, track, beforeJump);
      if (cubic) track.tangents.push_back({toTrack(p.coming * sign), Out{}});
    }
  }

  template <class Out>
  void addKey(double time, const T& value, Track<Out>& track, bool justBefore = false) const {
    auto seconds = static_cast<float>(time - at_.origin);
    if (justBefore) seconds = std::nextafter(seconds, -1.0f);
    track.times.push_back(seconds);
    track.values.push_back(toTrack(value));
  }

  template <class Out>
  bool isStill(const Track<Out>& track) const {
    for (const auto& tangents : track.tangents)
      for (const Out& tangent : tangents)
        if (largest(T(tangent)) != 0.0) return false;
    return std::all_of(track.values.begin(), track.values.end(),
                       [&](const Out& value) { return value == track.values.front(); });
  }

  const SampleTimes& at_;
  const Value& value_;
  double tolerance_;
  std::vector<Piece<T>> pieces_;
};

// Moments so near to one another that they are one in a track's precision.
template <class Out>
void dropRepeatedTimes(Track<Out>& track) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < track.times.size(); ++i) {
    if (count > 0 && track.times[i] <= track.times[count - 1]) --count;
    track.times[count] = track.times[i];
    track.values[count] = track.values[i];
    if (!track.tangents.empty()) track.tangents[count] = track.tangents[i];
    ++count;
  }
  track.times.resize(count);
  track.values.resize(count);
  if (!track.tangents.empty()) track.tangents.resize(count);
}

template <class Out, class T>
Track<Out> sampled(const SampleTimes& at, const std::function<T(double)>& value, double tolerance,
                   std::size_t& missed) {
  Track<Out> track = Sampler<T>(at, value, tolerance).template sample<Out>(missed);
  dropRepeatedTimes(track);
  return track;
}

} // namespace

Track<vec3> sampleVectors(const SampleTimes& at, const std::function<dvec3(double)>& value,
                          double tolerance, std::size_t& missed) {
  return sampled<vec3>(at, value, tolerance, missed);
}

Track<quat> sampleRotations(const SampleTimes& at, const std::function<dquat(double)>& value,
                            double tolerance, std::size_t& missed) {
  return sampled<quat>(at, value, tolerance, missed);
}

Track<float> sampleNumbers(const SampleTimes& at, const std::function<double(double)>& value,
                           double tolerance, std::size_t& missed) {
  return sampled<float>(at, value, tolerance, missed);
}

} // namespace sinew
