// What the GLSL of a binding is compiled for, as typed values: the CPU reference reads them, and
// makeDefines() writes them as #define lines, the only place that does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// By the method's own frame, of the deformed surface, or no normals.
enum class NormalMode { cheap, exact, none };

struct Variant {
  std::uint32_t influences = 0;           // INFLUENCES: bones blended per vertex
  std::uint32_t attachments = 0;          // ATTACHMENTS: joints or splines per vertex, 1 to 3
  NormalMode normals = NormalMode::cheap; // EXACT_NORMALS, NO_NORMALS
  bool sharedSurface = false;             // SHARED_SURFACE: exact normals as part of a mixture

  // Splines
  bool vectorized = false;      // SPLINES_VECTORIZED: all splines of a vertex in vector lanes
  bool plainMixing = false;     // PLAIN_MIXING: positions are summed as they are
  bool freeSplines = false;     // FREE_SPLINES: the model's, not those of joints
  bool splineTransform = false; // SPLINE_TRANSFORM: coordinates by a matrix of the palette
  bool splineTexture = false;   // SPLINE_TEXTURE: normals on splines as three bytes in a texture

  // Bones blending: the first of further rows of a palette entry; 0: it has none of them.
  std::uint32_t rotationRow = 0; // ROTATION_ROW: rotations of M(p) and M(j) as quaternions
  std::uint32_t jointRow = 0;    // JOINT_ROW: M(j) in three rows

  // Bones blending and splines: the row of a palette entry with the joint's twist; 0: all twists
  // blend in over their zones.
  std::uint32_t twistRow = 0; // TWIST_ROW

  // For a method that needs other ones: "#define NAME VALUE" each.
  struct Define {
    std::string_view name;
    std::uint32_t value = 0;
    bool operator==(const Define&) const = default;
  };
  std::vector<Define> own;

  bool hasNormals() const { return normals != NormalMode::none; }
  bool operator==(const Variant&) const = default;
};

// "NAME VALUE", or "NAME" of a choice that is on; values that are 0 or off are left out.
std::vector<std::string> makeDefines(const Variant& variant);

} // namespace sinew
