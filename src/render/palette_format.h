// How the rows of palettes are stored in a buffer texture: as floats, or in fewer bytes within a
// bound that is stated here.
//
//   f32   the rows as they are
//   f16   half-precision rows; for palettes of matrices (rigid, lbs)
//   dq32  the two rows of a dual quaternion without those of its stretch; for dqs
//   dq16  the same as 16-bit fractions: the rotation in [-1, 1], the dual part in the largest range
//         of what is uploaded together
#pragma once

#include "rig/rig.h"
#include "skinning/method.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

enum class PaletteFormat : std::uint8_t { f32, f16, dq32, dq16 };

std::span<const std::string_view> paletteFormatNames(); // in the order of the enumeration
std::string_view toString(PaletteFormat format);
PaletteFormat findPaletteFormat(std::string_view name); // throws usageError

// Throws usageError where a format cannot hold the palettes of a method, as bound.
void checkPaletteFormat(PaletteFormat format, const Method& method, const Binding& binding);

// Rows, and bytes, of an entry as stored.
std::uint32_t storedRows(PaletteFormat format, std::uint32_t rowsPerEntry);
std::uint32_t storedBytes(PaletteFormat format, std::uint32_t rowsPerEntry);

struct StoredPalette {
  std::vector<std::byte> bytes;
  float scale = 1.0f; // scale of the dual parts, dq16
};

// Allocates nothing where `out` has room. Values beyond what half-precision holds become infinite.
void storePalette(PaletteFormat format, std::span<const vec4> rows, std::uint32_t rowsPerEntry,
                  StoredPalette& out);

// The rows that the vertex shader sees. Formats without the stretch of dual quaternions give rows
// without stretch.
std::vector<vec4> loadPalette(PaletteFormat format, const StoredPalette& stored,
                              std::uint32_t rowsPerEntry);

// What a format does to one pose of one character, in the model's unit.
struct PaletteError {
  float largest = 0.0f; // distance of a vertex from where the palette itself puts it, by the CPU
  // No vertex can be farther; sum over the steps: rounding of rows, their blend, its normalisation.
  float bound = 0.0f;
  // Vertices of dual quaternions whose rotations are so nearly opposite that rounding decides on
  // the side; in neither of the above.
  std::size_t ambiguous = 0;
};
PaletteError paletteError(PaletteFormat format, const Method& method, const Rig& rig,
                          const Binding& binding, const Palette& palette);

} // namespace sinew
