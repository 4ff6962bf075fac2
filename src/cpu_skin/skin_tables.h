// Blocks of vertices skinned by vector instructions: the best that the processor has, chosen when
// the program runs (Google Highway). Agrees with Method::skin within rounding. Kernels read tables
// of a pose: the palette's rows, worked out as far as they are the same for all vertices.
#pragma once

#include "cpu_skin/skin_blocks.h"
#include "skinning/posed_arrays.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// Three rows of an affine matrix as twelve numbers.
inline constexpr std::size_t kMatrix = 12;

// Numbers of an entry, by kernel.
//
// dualQuaternions: real and dual part (x, y, z, w each), the stretch's matrix.
//
// fractions, of entries in rigid lists: with L x + l = M(p) x, C the joint's centre, a its axis and
// A the cross product with it, a rotation about it is 1 + sin A + (1 - cos) A^2. So a vertex is
// moved by M(p) + sin (L A, -L A C) + (1 - cos) (L A^2, -L A^2 C): three matrices that are the same
// for all, and the fraction of the joint's shift, of model space.
namespace fused_row {
inline constexpr std::size_t kWhole = 0, kSine = 12, kCosine = 24, kHalfAngle = 36, kShift = 37;
}
// Behind them, for the other lists and for slots: M(p), centre, axis, shift, the stretch less one,
// and the matrix for normals. What is read together is in fours, for lanes that read their own.
namespace fraction_row {
inline constexpr std::size_t kMatrixRows = 40, kCenter = 52, kHalfAngle = 55, kAxis = 56,
                             kLeast = 59, kShift = 60, kStretch = 64, kNormal = 70, kCount = 80;
}
// bones: the same fused rows, the fraction being that of the bone's twist, from -1 (at its start)
// to 0, and the shift what the bone is longer; behind them, for lists that stretch and for slots:
namespace bone_row {
inline constexpr std::size_t kRotation = 40, kStart = 49, kPosed = 52, kAxis = 55, kStretch = 58,
                             kLonger = 70, kHalfAngle = 73, kCount = 76;
}
// centers: the rotation as a quaternion, the rigid motion and the stretch as matrices.
namespace center_row {
inline constexpr std::size_t kQuaternion = 0, kMotion = 4, kStretch = 16, kCount = 28;
}
// Splines: p1, D12, D23, N, N x D12, N x D23, roll with its sine and cosine, twist, scale; then as
// spline_palette.h names them a, b, shift, the stretch at the start and by how much it differs at
// the end (xx yy zz xy yz xz each). In fours, as of fractions.
namespace spline_row {
inline constexpr std::size_t kStart = 0, kScale = 3, kD12 = 4, kSine = 7, kD23 = 8, kCosine = 11,
                             kN = 12, kTwist = 15, kShift = 16, kRoll = 19, kNear = 20,
                             kChange = 26, kA = 32, kB = 33, kAcross12 = 34, kAcross23 = 37,
                             kCount = 40;
}

// An entry's twist, where there are twist ranges: axis, twist, and the line's point.
namespace twist_row {
inline constexpr std::size_t kAxis = 0, kTwist = 3, kCenter = 4, kCount = 7;
}

struct SkinTables {
  const float* rows = nullptr; // `stride` numbers per entry of the palette
  std::size_t stride = 0;
  bool stretched = false; // Palette::nonUniformScale
  bool shifts = false;    // fractions, bones, splines: some kShift is not 0
  // Per list: none of its entries stretches, so that the cheaper form of a kernel serves it
  // although others do; those of fractions have one scale. Matrices: as `stretched` says.
  std::vector<std::uint8_t> rigid;
  bool allRigid = false; // no entry stretches, whatever their scales
  // dualQuaternions, centers: by EntryList::firstPair, the sign that each entry takes beside a
  // pivot; and per list whether that depends on the pivot.
  std::vector<float> signs;
  std::vector<std::uint8_t> signsVary;
  // dualQuaternions: kMatrix numbers per list; for a list with a single entry they are its motion,
  // which needs no blending.
  std::vector<float> alone;
  std::vector<float> twists; // twist_row of every entry; empty without twist ranges
  std::vector<float> scales; // per entry that is used; 0: it stretches
  std::vector<float> own;    // holds `rows` where they are not the palette's
};

// palette: that of one character; it has to outlive the tables.
void makeSkinTables(const SkinBlocks& blocks, std::span<const vec4> palette, bool nonUniformScale,
                    SkinTables& out);

// Blocks [first, last). Blocks of different calls may be skinned at the same time.
void skinBlockRange(const SkinBlocks& blocks, const SkinTables& tables, const SkinTarget& target,
                    std::size_t first, std::size_t last);

// The instructions in use: "AVX3", ...
std::string vectorInstructions();

} // namespace sinew
