// The keys of an FBX curve as files have them, and what they make of the curve between them.
#pragma once

#include "import/fbx/curve.h"

#include <array>

namespace sinew {

struct FbxKey {
  // How the curve runs from this key on.
  enum class Interpolation : std::uint8_t { constant, constantNext, linear, cubic };
  // Where the slopes at this key come from: the file, both neighbours, or tension, continuity,
  // bias.
  enum class Tangent : std::uint8_t { user, automatic, tcb };
  // What keeps an automatic slope from overshooting: nothing; a key as high as a neighbour is
  // level; no handle passes a neighbour's height.
  enum class Clamp : std::uint8_t { none, level, progressive };

  double seconds = 0.0;
  double value = 0.0;
  Interpolation interpolation = Interpolation::linear;
  Tangent tangent = Tangent::user;
  Clamp clamp = Clamp::none;
  double rightSlope = 0.0;     // on the right of this key, per second
  double nextLeftSlope = 0.0;  // on the left of the next key, per second
  std::array<double, 3> tcb{}; // tension, continuity, bias
  double rightWeight = 1.0 / 3.0, nextLeftWeight = 1.0 / 3.0;
  bool hasVelocity = false;
};

// Keys of an AnimationCurve (version 7), and of a Channel (version 6). Throw FbxError where lists
// disagree in length or a key is cut short.
std::vector<FbxKey> keysOfCurve(const FbxElement& curve, double ticksPerSecond);
std::vector<FbxKey> keysOfChannel(const FbxElement& channel, double ticksPerSecond);

// Drops keys that are not finite, and sorts them; the last of several keys at one time stays.
void tidyKeys(std::vector<FbxKey>& keys, FbxCurveReport& report);

// What lies between tidy keys.
std::vector<FbxSegment> makeSegments(const std::vector<FbxKey>& keys);

} // namespace sinew
