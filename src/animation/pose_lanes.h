// Posing many characters by one clip, eight of them side by side: every number is that of eight
// characters, a lane of a vector register each. The result is that of sample() and modelFromNodes()
// for each alone: the same bits at the times of keys, and between them within the rounding of
// a slerp. ClipNoise::held changes that by a stated bound, and is faster.
#pragma once

#include "animation/sample.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

inline constexpr std::size_t kLanes = 8;

// Exporters write the noise of their arithmetic as motion: tracks of two keys that differ by 1e-7
// to 1e-5 of a translation or scale, and rotations by 1e-6. The smallest real motion in our models
// is 1e-3. A track whose keys differ by at most so much of the largest is held at their middle: a
// joint is off by at most half of it, times the length from the joint to what it moves.
inline constexpr float kStillNoise = 1e-5f;
inline constexpr float kStillRotation = 1e-6f; // difference in any number of a quaternion

// One number for each of the eight characters.
struct alignas(4 * kLanes) Lanes {
  std::array<float, kLanes> at{};

  float& operator[](std::size_t lane) { return at[lane]; }
  float operator[](std::size_t lane) const { return at[lane]; }
};

// Affine matrices: entry 4 r + c is that of row r and column c.
struct AffineLanes {
  Lanes entries[12];
};

// How a part of a node's transform moves.
enum class LaneTrack : std::uint8_t {
  still,   // it does not move
  linear,  // linear keys; rotations turn by less than 28 degrees from key to key
  wide,    // linear rotations that turn by up to 91 degrees
  cubic,   // rotations on splines
  general, // all else: one character after the other
};

struct LanePart {
  LaneTrack track = LaneTrack::still;
  std::uint32_t line = 0; // index of ClipLanes::lines
  // Index into ClipLanes::keys, where a cubic track has three for each of its own: the value, and
  // the tangents out of it and into it. General tracks: index into `rotations` or `vectors`.
  std::uint32_t first = 0;
};

struct NodeLanes {
  std::uint32_t parent = kNoNode;
  Transform still; // values of parts that do not move
  LanePart translation, rotation, scale;
  bool own = false;          // a part of its own moves
  bool moves = false;        // the node or one above it moves
  mat4 parentFromNode{1.0f}; // valid where no part of its own moves
  mat4 modelFromNode{1.0f};  // valid where it does not move
  bool scaled = false;       // its scale differs from 1 somewhere
  float unevenness = 0.0f;   // bound of measureUnevenness() of its F, at any time
};

// A prepared clip. It copies what it needs: the hierarchy and the clip may change afterwards.
struct ClipLanes {
  float seconds = 0.0f;
  std::vector<std::vector<float>> lines; // key times, each once however many tracks share them
  std::vector<vec4> keys;                // x y z w
  std::vector<Track<quat>> rotations;    // tracks of LaneTrack::general, as are `vectors`
  std::vector<Track<vec3>> vectors;
  std::vector<NodeLanes> nodes; // parent first
};

// Tracks whose keys differ by noise alone move as they are, or are held still.
enum class ClipNoise : std::uint8_t { exact, held };

ClipLanes prepareLanes(const Hierarchy& hierarchy, const Clip& clip,
                       ClipNoise noise = ClipNoise::exact);

// Where the characters are between the keys of a line: `next` is the key behind `key`, or at the
// end `key` itself, and `share` of the way to it has passed.
struct LanePlace {
  std::array<std::uint32_t, kLanes> key{}, next{};
  Lanes share, span; // span: seconds from `key` to `next`
};

// What is kept from one moment of the same characters to the next. A new one is always valid.
struct LaneCursor {
  std::vector<std::array<std::uint32_t, kLanes>> keys; // per line
};

// Scratch, kept so that no frame allocates, and the result.
struct PoseLanes {
  std::array<float, kLanes> times{};
  std::vector<LanePlace> places; // per line
  std::vector<AffineLanes> modelFromNode;
};

// F of every node of the characters, each at its own time of unlimited looping playback.
void poseLanes(const ClipLanes& clip, std::span<const float, kLanes> times, LaneCursor& cursor,
               PoseLanes& out);

// One of them, as modelFromNodes() has it. out is resized.
void takeLane(const PoseLanes& lanes, std::size_t lane, std::vector<mat4>& out);

// How far the columns are from equal length and right angles, relative to the longest: 0 for a
// rotation times one scale.
float measureUnevenness(const mat3& m);

} // namespace sinew
