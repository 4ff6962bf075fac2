// A function curve of an FBX file: keys, and how the value runs between them and beyond them.
#pragma once

#include "import/fbx/document.h"

#include <vector>

namespace sinew {

// Between a key and the next one.
struct FbxSegment {
  enum class Kind : std::uint8_t { constant, constantNext, linear, cubic };
  Kind kind = Kind::linear;
  // Cubic: slopes per second at both ends, and lengths of the handles over the segment's length.
  // With handles of a third the curve is a Hermite spline of time; otherwise it is a Bezier curve
  // in time and value.
  double rightSlope = 0.0, leftSlope = 0.0;
  double rightWeight = 1.0 / 3.0, leftWeight = 1.0 / 3.0;
};

struct FbxExtrapolation {
  enum class Kind : std::uint8_t { constant, slope, repeat, relativeRepeat, mirror };
  Kind kind = Kind::constant;
  std::int64_t repetitions = -1; // -1: without end
};

struct FbxCurve {
  std::vector<double> times; // seconds, strictly increasing
  std::vector<double> values;
  std::vector<FbxSegment> segments; // one less than keys
  FbxExtrapolation before, after;

  // The value at a time; 0 for a curve without keys.
  double at(double seconds) const;
  bool isConstant() const;
  // Whether all it does between its keys is to jump.
  bool isStepped() const;
};

// What is damaged in curves, and what is not followed.
struct FbxCurveReport {
  std::size_t notFinite = 0;  // keys, which are dropped
  std::size_t unordered = 0;  // keys, which are sorted
  std::size_t velocities = 0; // curves with keys that change the speed of time
};

// An AnimationCurve of version 7. Throws FbxError where its lists disagree.
FbxCurve readFbxCurve(const FbxElement& element, double ticksPerSecond, FbxCurveReport& report);

// A Channel of a take of version 6 that has keys.
FbxCurve readFbxChannel(const FbxElement& channel, double ticksPerSecond, FbxCurveReport& report);

} // namespace sinew
