// Posing many characters by one clip, four of them side by side: every number is that of four
// characters, a lane of a vector register each. The result is that of sample() and modelFromNodes()
// for each alone: the same bits at the times of keys, and between them within the rounding of
// a slerp.
#pragma once

#include "animation/sample.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sinew {

inline constexpr std::size_t kLanes = 4;

// A number of each of the four (the vector extension of GCC and Clang: SSE, NEON or plain code).
using Lanes = float __attribute__((vector_size(4 * kLanes)));

// Affine matrices: entry 4 r + c is that of row r and column c.
struct AffineLanes {
  Lanes entries[12];
};

// How a part of a node's transform moves.
enum class LaneTrack : std::uint8_t {
  still,   // it does not
  linear,  // linear keys; rotations turn by less than 28 degrees from key to key
  wide,    // linear rotations that turn by up to 91 degrees
  general, // all else: one character after the other
};

struct LanePart {
  LaneTrack track = LaneTrack::still;
  std::uint32_t line = 0;  // index of ClipLanes::lines
  std::uint32_t first = 0; // of ClipLanes::keys; general: index of `rotations` or `vectors`
};

struct NodeLanes {
  std::uint32_t parent = kNoNode;
  Transform still; // where a part does not move
  LanePart translation, rotation, scale;
  bool moves = false;       // it or a node above it
  mat4 modelFromNode{1.0f}; // where it does not
  bool scaled = false;      // by more than 1 somewhere
  float unevenness = 0.0f;  // bound of unevennessOf() of its F, at any time
};

// A clip made ready: of the hierarchy and the clip it was made for, which may change afterwards.
struct ClipLanes {
  float seconds = 0.0f;
  std::vector<std::vector<float>> lines; // key times, each once however many tracks share them
  std::vector<vec4> keys;                // of linear and wide tracks: x y z w
  std::vector<Track<quat>> rotations;    // of general ones
  std::vector<Track<vec3>> vectors;
  std::vector<NodeLanes> nodes; // parent first
};

ClipLanes prepareLanes(const Hierarchy& hierarchy, const Clip& clip);

// Where four characters are between the keys of a line: `next` is the key behind `key`, or at the
// end `key` itself, and `share` of the way to it has passed.
struct LanePlace {
  std::array<std::uint32_t, kLanes> key{}, next{};
  Lanes share{};
};

// What is kept from one moment of the same four characters to the next. A new one is always valid.
struct LaneCursor {
  std::vector<std::array<std::uint32_t, kLanes>> keys; // per line
};

// Scratch, kept so that no frame allocates, and the result.
struct PoseLanes {
  std::array<float, kLanes> times{};
  std::vector<LanePlace> places; // per line
  std::vector<AffineLanes> modelFromNode;
};

// F of every node of four characters, each at its own time of unlimited looping playback.
void poseLanes(const ClipLanes& clip, std::span<const float, kLanes> times, LaneCursor& cursor,
               PoseLanes& out);

// One of the four, as modelFromNodes() has it. out is resized.
void takeLane(const PoseLanes& lanes, std::size_t lane, std::vector<mat4>& out);

inline Lanes allLanes(float value) {
  return Lanes{value, value, value, value};
}

// Register i of the result has the i-th lanes of all four.
inline void transposeLanes(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  const Lanes ab01 = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Lanes ab23 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Lanes cd01 = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Lanes cd23 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab01, cd01, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab01, cd01, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab23, cd23, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab23, cd23, 2, 3, 6, 7);
}

inline void storeLanes(const Lanes& lanes, vec4& out) {
  std::memcpy(&out, &lanes, sizeof lanes);
}

// In every lane the bits of affineProduct() (core/affine.h).
inline AffineLanes affineProduct(const AffineLanes& a, const AffineLanes& b) {
  AffineLanes out;
  for (std::size_t r = 0; r < 3; ++r) {
    const Lanes* row = a.entries + 4 * r;
    for (std::size_t c = 0; c < 4; ++c)
      out.entries[4 * r + c] =
          row[0] * b.entries[c] + row[1] * b.entries[4 + c] + row[2] * b.entries[8 + c];
    out.entries[4 * r + 3] += row[3];
  }
  return out;
}

inline AffineLanes allLanes(const mat4& m) {
  AffineLanes out;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c)
      out.entries[4 * r + c] = allLanes(m[c][r]);
  return out;
}

// How far the columns are from equal length and right angles, relative to the longest: 0 for a
// rotation times one scale.
float unevennessOf(const mat3& m);

} // namespace sinew
