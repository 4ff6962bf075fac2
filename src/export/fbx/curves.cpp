#include "export/fbx/curves.h"

#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

using glm::dquat;
using glm::dvec3;

constexpr int kMaxHalvings = 8;         // between two keys of a track
constexpr double kShortest = 1e-4;      // seconds; shorter pieces are straight
constexpr double kBeforeStep = 1e-4;    // seconds from the last moment before a step to it
constexpr double kShareOfSlopes = 0.25; // fraction of the tolerance, for curves that follow slopes

dvec3 nearestDegrees(const dvec3& degrees, const dvec3& near) {
  return degrees - 360.0 * glm::round((degrees - near) / 360.0);
}

dquat toRotation(const dvec3& degrees) {
  const dvec3 half = 0.5 * glm::radians(degrees);
  const dquat x(std::cos(half.x), std::sin(half.x), 0.0, 0.0);
  const dquat y(std::cos(half.y), 0.0, std::sin(half.y), 0.0);
  const dquat z(std::cos(half.z), 0.0, 0.0, std::sin(half.z));
  return z * y * x;
}

// How each kind of value is read from a track, written, and compared.
struct Rotations {
  using Value = dquat;
  static dquat read(const quat& q) {
    return {static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y),
            static_cast<double>(q.z)};
  }
  static dquat finished(const dquat& q) {
    const double length = glm::length(q);
    return length > 0.0 ? q / length : dquat(1.0, 0.0, 0.0, 0.0);
  }
  static dquat between(const dquat& a, const dquat& b, double t) { return glm::slerp(a, b, t); }
  static dquat played(const dquat& a, const dquat& b, double t) {
    return glm::normalize(a * (1.0 - t) + (glm::dot(a, b) < 0.0 ? -b : b) * t);
  }
  static dvec3 write(const dquat& q, const dvec3& near) { return fbxEulerAngles(q, near); }
  static dquat backFrom(const dvec3& degrees) { return toRotation(degrees); }
  static double distance(const dquat& a, const dquat& b) {
    const dquat angle = glm::conjugate(a) * b;
    return 2.0 * std::asin(std::min(1.0, glm::length(dvec3(angle.x, angle.y, angle.z))));
  }
};

struct Vectors {
  using Value = dvec3;
  static dvec3 read(const vec3& v) { return dvec3(v); }
  static dvec3 read(float v) { return {static_cast<double>(v), 0.0, 0.0}; }
  static dvec3 finished(const dvec3& v) { return v; }
  static dvec3 between(const dvec3& a, const dvec3& b, double t) { return a + (b - a) * t; }
  static dvec3 played(const dvec3& a, const dvec3& b, double t) { return a + (b - a) * t; }
  static dvec3 write(const dvec3& v, const dvec3& /*near*/) { return v; }
  static dvec3 backFrom(const dvec3& v) { return v; }
  static double distance(const dvec3& a, const dvec3& b) {
    const dvec3 d = glm::abs(a - b);
    return std::max({d.x, d.y, d.z});
  }
};

// The time between two keys, with what is written of it.
struct CurvePiece {
  double start = 0.0, end = 0.0;
  dvec3 from{0.0}, to{0.0};          // as written
  dvec3 leaving{0.0}, arriving{0.0}; // per second
};

dvec3 onCurve(const CurvePiece& p, double t) {
  const double length = p.end - p.start;
  const double t2 = t * t;
  const double t3 = t2 * t;
  return p.from * (2.0 * t3 - 3.0 * t2 + 1.0) + p.leaving * (length * (t3 - 2.0 * t2 + t)) +
         p.to * (3.0 * t2 - 2.0 * t3) + p.arriving * (length * (t3 - t2));
}

template <class Kind, class Stored>
class KeyMaker {
 public:
  using Value = typename Kind::Value;
  KeyMaker(const Track<Stored>& track, double tolerance, std::span<const double> moments)
      : track_(track), tolerance_(tolerance), moments_(moments.begin(), moments.end()) {
    for (const float time : track.times)
      moments_.push_back(static_cast<double>(time));
    std::ranges::sort(moments_);
    moments_.erase(std::unique(moments_.begin(), moments_.end(),
                               [](double a, double b) { return b - a < 0.1 * kShortest; }),
                   moments_.end());
  }

  FbxKeys make() {
    if (track_.times.size() == 1 || isStill()) {
      out_.times.push_back(static_cast<double>(track_.times.front()));
      out_.values.push_back(Kind::write(valueAt(out_.times.front()), dvec3(0.0)));
    } else if (track_.interpolation == Interpolation::step) {
      makeSteps();
    } else {
      makePieces();
      writePieces();
    }
    return std::move(out_);
  }

 private:
  bool isStill() const {
    const auto zero = [](const Stored& tangent) { return tangent == Stored(tangent * 0.0f); };
    return std::ranges::all_of(track_.values,
                               [&](const Stored& v) { return v == track_.values.front(); }) &&
           std::ranges::all_of(track_.tangents, [&](const std::array<Stored, 2>& each) {
             return zero(each[0]) && zero(each[1]);
           });
  }

  // As the track is played, in double precision.
  Value valueAt(double time) const {
    const auto& times = track_.times;
    const auto after = std::ranges::upper_bound(
        times, time, {}, [](float each) { return static_cast<double>(each); });
    if (after == times.begin()) return Kind::finished(Kind::read(track_.values.front()));
    const auto key = static_cast<std::size_t>(after - times.begin()) - 1;
    if (after == times.end() || track_.interpolation == Interpolation::step)
      return Kind::finished(Kind::read(track_.values[key]));
    const double start = static_cast<double>(times[key]);
    const double length = static_cast<double>(times[key + 1]) - start;
    const double t = (time - start) / length;
    const Value from = Kind::read(track_.values[key]);
    const Value to = Kind::read(track_.values[key + 1]);
    if (track_.interpolation != Interpolation::cubic)
      return Kind::between(Kind::finished(from), Kind::finished(to), t);
    const double t2 = t * t;
    const double t3 = t2 * t;
    return Kind::finished(from * (2.0 * t3 - 3.0 * t2 + 1.0) +
                          Kind::read(track_.tangents[key][1]) * (length * (t3 - 2.0 * t2 + t)) +
                          to * (3.0 * t2 - 2.0 * t3) +
                          Kind::read(track_.tangents[key + 1][0]) * (length * (t3 - t2)));
  }

  // Each value also at the last moment before the next, for programs that know no steps.
  void makeSteps() {
    out_.interpolation = Interpolation::step;
    dvec3 near(0.0);
    for (std::size_t i = 0; i < moments_.size(); ++i) {
      near = Kind::write(valueAt(moments_[i]), near);
      out_.times.push_back(moments_[i]);
      out_.values.push_back(near);
      if (i + 1 == moments_.size() || moments_[i + 1] - moments_[i] < 2.0 * kBeforeStep) continue;
      out_.times.push_back(moments_[i + 1] - kBeforeStep);
      out_.values.push_back(near);
    }
  }

  // Written values run on from `from`, by quarters, so that a large angle is unwrapped rightly.
  CurvePiece piece(double start, double end, const dvec3& from) const {
    CurvePiece p;
    p.start = start;
    p.end = end;
    p.from = from;
    const auto at = [&](double t) { return valueAt(start + t * (end - start)); };
    dvec3 near = from;
    for (const double t : {0.25, 0.5, 0.75})
      near = Kind::write(at(t), near);
    p.to = Kind::write(at(1.0), near);
    constexpr double kStep = 1e-3;
    const double across = 2.0 * kStep * (end - start);
    const dvec3 after = Kind::write(at(kStep), p.from);
    const dvec3 before = Kind::write(at(1.0 - kStep), p.to);
    p.leaving = (4.0 * after - 3.0 * p.from - Kind::write(at(2.0 * kStep), after)) / across;
    p.arriving = (3.0 * p.to - 4.0 * before + Kind::write(at(1.0 - 2.0 * kStep), before)) / across;
    return p;
  }

  bool fits(const CurvePiece& p) const {
    const Value from = valueAt(p.start);
    const Value to = valueAt(p.end);
    return std::ranges::all_of(std::array{0.25, 0.5, 0.75}, [&](double t) {
      const Value exact = valueAt(p.start + t * (p.end - p.start));
      return Kind::distance(exact, Kind::played(from, to, t)) <= tolerance_ &&
             Kind::distance(exact, Kind::backFrom(onCurve(p, t))) <= kShareOfSlopes * tolerance_;
    });
  }

  void makePieces() {
    struct Open {
      double start, end;
      int halvings;
    };
    std::vector<Open> open;
    for (std::size_t i = moments_.size() - 1; i-- > 0;)
      open.push_back({moments_[i], moments_[i + 1], 0});
    dvec3 last = Kind::write(valueAt(moments_.front()), dvec3(0.0));
    while (!open.empty()) {
      const Open next = open.back();
      open.pop_back();
      const CurvePiece p = piece(next.start, next.end, last);
      if (next.halvings < kMaxHalvings && next.end - next.start > kShortest && !fits(p)) {
        const double middle = 0.5 * (next.start + next.end);
        open.push_back({middle, next.end, next.halvings + 1});
        open.push_back({next.start, middle, next.halvings + 1});
        continue;
      }
      last = p.to;
      pieces_.push_back(p);
    }
  }

  bool isStraight(const CurvePiece& p) const {
    return std::ranges::all_of(std::array{0.25, 0.5, 0.75}, [&](double t) {
      const Value exact = valueAt(p.start + t * (p.end - p.start));
      return Kind::distance(exact, Kind::backFrom(p.from + (p.to - p.from) * t)) <=
             kShareOfSlopes * tolerance_;
    });
  }

  void writePieces() {
    const bool straight =
        std::ranges::all_of(pieces_, [&](const CurvePiece& p) { return isStraight(p); });
    out_.interpolation = straight ? Interpolation::linear : Interpolation::cubic;
    out_.times.push_back(pieces_.front().start);
    out_.values.push_back(pieces_.front().from);
    if (!straight) out_.arriving.emplace_back(0.0);
    for (CurvePiece& p : pieces_) {
      if (p.end - p.start <= kShortest)
        p.leaving = p.arriving = (p.to - p.from) / (p.end - p.start);
      out_.times.push_back(p.end);
      out_.values.push_back(p.to);
      if (straight) continue;
      out_.leaving.push_back(p.leaving);
      out_.arriving.push_back(p.arriving);
    }
    if (!straight) out_.leaving.emplace_back(0.0);
  }

  const Track<Stored>& track_;
  double tolerance_;
  std::vector<double> moments_;
  std::vector<CurvePiece> pieces_;
  FbxKeys out_;
};

} // namespace

dvec3 fbxEulerAngles(const dquat& rotation, const dvec3& near) {
  const glm::dmat3 m = glm::mat3_cast(rotation);
  const double cosine = std::hypot(m[0][0], m[0][1]);
  dvec3 angles(0.0, std::atan2(-m[0][2], cosine), 0.0);
  if (cosine > 1e-7) {
    angles.x = std::atan2(m[1][2], m[2][2]);
    angles.z = std::atan2(m[0][1], m[0][0]);
  } else { // x and z angle about one axis: x stays
    angles.x = glm::radians(near.x);
    angles.z = angles.y > 0.0 ? angles.x - std::atan2(m[1][0], m[1][1])
                              : std::atan2(-m[1][0], m[1][1]) - angles.x;
  }
  const dvec3 degrees = glm::degrees(angles);
  const dvec3 one = nearestDegrees(degrees, near);
  const dvec3 other =
      nearestDegrees(dvec3(degrees.x + 180.0, 180.0 - degrees.y, degrees.z + 180.0), near);
  const auto far = [&](const dvec3& angle) {
    const dvec3 d = glm::abs(angle - near);
    return d.x + d.y + d.z;
  };
  return far(other) < far(one) ? other : one;
}

FbxKeys fbxRotationKeys(const Track<quat>& track, double tolerance,
                        std::span<const double> moments) {
  return KeyMaker<Rotations, quat>(track, tolerance, moments).make();
}

FbxKeys fbxVectorKeys(const Track<vec3>& track, double tolerance) {
  return KeyMaker<Vectors, vec3>(track, tolerance, {}).make();
}

FbxKeys fbxNumberKeys(const Track<float>& track, double tolerance) {
  return KeyMaker<Vectors, float>(track, tolerance, {}).make();
}

} // namespace sinew
