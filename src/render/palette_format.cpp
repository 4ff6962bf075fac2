#include "render/palette_format.h"

#include "core/error.h"
#include "skinning/bone_palette.h"
#include "skinning/methods.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <string>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 4> kFormatNames{"f32", "f16", "dq32", "dq16"};

constexpr std::uint32_t kDualQuaternionRows = 2; // and behind them the stretch
constexpr std::uint32_t kStretchRows = 3;

bool holdsDualQuaternions(PaletteFormat format) {
  return format == PaletteFormat::dq32 || format == PaletteFormat::dq16;
}

// Rounds to the nearest half, ties to even.
std::uint16_t toHalf(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) { // subnormal: 0.5 has the same last place as the smallest half
    const float sum = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(sum) - 0x3f000000u));
  }
  magnitude += 0x0fffu + ((magnitude >> 13) & 1u);
  return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u) >> 13));
}

float halfToFloat(std::uint16_t half) {
  const float sign = (half & 0x8000u) != 0 ? -1.0f : 1.0f;
  const int exponent = (half >> 10) & 0x1f;
  const int fraction = half & 0x3ff;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  if (exponent == 31) return sign * (fraction == 0 ? INFINITY : NAN);
  return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
}

constexpr float kSteps = 65535.0f;

// [-1, 1] to the nearest of 0 to 65535: truncated, from half a step higher.
std::uint16_t toFraction(float value) {
  constexpr float kMiddle = 0.5f * kSteps + 0.5f;
  return static_cast<std::uint16_t>(0.5f * kSteps * std::clamp(value, -1.0f, 1.0f) + kMiddle);
}

float fractionToFloat(std::uint16_t fraction) {
  return 2.0f * (static_cast<float>(fraction) / kSteps) - 1.0f;
}

template <class Convert>
void convertRow(const vec4& row, const Convert& convert, std::byte* out) {
  const std::array<std::uint16_t, 4> values{convert(row.x), convert(row.y), convert(row.z),
                                            convert(row.w)};
  std::memcpy(out, values.data(), sizeof values);
}

template <class Convert>
vec4 decodeRow(const std::byte* bytes, const Convert& convert) {
  std::array<std::uint16_t, 4> values{};
  std::memcpy(values.data(), bytes, sizeof values);
  return {convert(values[0]), convert(values[1]), convert(values[2]), convert(values[3])};
}

float largestDual(std::span<const vec4> rows, std::uint32_t rowsPerEntry) {
  float largest = 1e-30f;
  for (std::size_t i = 1; i < rows.size(); i += rowsPerEntry) {
    const vec4 row = glm::abs(rows[i]);
    largest = std::max({largest, row.x, row.y, row.z, row.w});
  }
  return largest;
}

constexpr float kHalfStep = 1.0f / 2048.0f;        // 2^-11: relative error of a half
constexpr float kHalfSmallest = 1.0f / 33554432.f; // 2^-25: absolute error below its normal numbers

// How far rounding the three rows of a matrix moves the point.
float matrixBound(const vec4* rows, const vec3& p) {
  float linear = 0.0f;
  vec3 translation;
  for (int r = 0; r < 3; ++r) {
    linear += glm::dot(vec3(rows[r]), vec3(rows[r]));
    translation[r] = rows[r].w;
  }
  const float length = glm::length(p);
  return kHalfStep * (std::sqrt(linear) * length + glm::length(translation)) +
         kHalfSmallest * (3.0f * length + 2.0f);
}

struct VertexBound {
  float distance = 0.0f;
  bool ambiguous = false;
};

// Linear blending is a mean: no farther than the worst of the joints.
VertexBound matricesBound(const Binding& binding, const Palette& palette, std::size_t v,
                          const vec3& p) {
  const VertexBones bones = readBones(binding, v);
  float worst = 0.0f;
  for (std::size_t i = 0; i < bones.count; ++i)
    worst = std::max(
        worst,
        matrixBound(palette.rows.data() + std::size_t{binding.rowsPerEntry} * bones.joints[i], p));
  return {worst, false};
}

// real, dual: how far rounding moves each part of a joint.
VertexBound dualBound(const Binding& binding, const Palette& palette, std::size_t v, const vec3& p,
                      float real, float dual) {
  const VertexBones bones = readBones(binding, v);
  const auto getRows = [&](std::size_t i) {
    return palette.rows.data() + std::size_t{binding.rowsPerEntry} * bones.joints[i];
  };
  const vec4 pivot = getRows(0)[0];
  vec4 rotation(0.0f), moment(0.0f);
  vec3 stretched(0.0f);
  for (std::size_t i = 0; i < bones.count; ++i) {
    const vec4* rows = getRows(i);
    const float side = glm::dot(pivot, rows[0]);
    if (std::abs(side) <= 2.0f * real + real * real) return {0.0f, true};
    const float weight = side < 0.0f ? -bones.weights[i] : bones.weights[i];
    rotation += weight * rows[0];
    moment += weight * rows[1];
    for (int r = 0; r < 3; ++r)
      stretched[r] += bones.weights[i] * glm::dot(rows[2 + r], vec4(p, 1.0f));
  }
  const float lost = palette.nonUniformScale ? glm::length(stretched - p) : 0.0f;
  const float length = glm::length(rotation) - real;
  if (length <= 0.0f) return {0.0f, true};
  const float translation = glm::length(moment) / glm::length(rotation);
  const float rounded =
      (4.0f * real * (glm::length(p) + lost) + 2.0f * dual + 6.0f * translation * real) / length;
  return {lost + rounded, false};
}

} // namespace

std::span<const std::string_view> paletteFormatNames() {
  return kFormatNames;
}

std::string_view toString(PaletteFormat format) {
  return kFormatNames.at(static_cast<std::size_t>(format));
}

PaletteFormat findPaletteFormat(std::string_view name) {
  const auto found = std::find(kFormatNames.begin(), kFormatNames.end(), name);
  if (found == kFormatNames.end()) throw unknownName("palette format", name, kFormatNames);
  return static_cast<PaletteFormat>(found - kFormatNames.begin());
}

void checkPaletteFormat(PaletteFormat format, const Method& method, const Binding& binding) {
  if (format == PaletteFormat::f32 || binding.rowsPerEntry == 0) return;
  if (format == PaletteFormat::f16) {
    if (method.entry != PaletteEntry::boneMatrix)
      throw usageError(fmt::format("--palette-format f16 holds matrices, those of rigid and lbs, "
                                   "not the palette of {}",
                                   method.name),
                       "use --method rigid,lbs or --palette-format f32");
    return;
  }
  if (method.entry != PaletteEntry::dualQuaternion)
    throw usageError(fmt::format("--palette-format {} holds dual quaternions, those of dqs, not "
                                 "the palette of {}",
                                 toString(format), method.name),
                     "use --method dqs or --palette-format f32");
  if (binding.rowsPerEntry != kDualQuaternionRows + kStretchRows)
    throw usageError(fmt::format("--palette-format {} does not hold the bones of bulge-free=on",
                                 toString(format)),
                     "use --palette-format f32");
}

std::uint32_t storedRows(PaletteFormat format, std::uint32_t rowsPerEntry) {
  return holdsDualQuaternions(format) ? std::min(rowsPerEntry, kDualQuaternionRows) : rowsPerEntry;
}

std::uint32_t storedBytes(PaletteFormat format, std::uint32_t rowsPerEntry) {
  const bool whole = format == PaletteFormat::f32 || format == PaletteFormat::dq32;
  return storedRows(format, rowsPerEntry) * (whole ? 16u : 8u);
}

void storePalette(PaletteFormat format, std::span<const vec4> rows, std::uint32_t rowsPerEntry,
                  StoredPalette& out) {
  out.scale = 1.0f;
  if (rows.empty()) return out.bytes.clear();
  const std::size_t entries = rows.size() / rowsPerEntry;
  out.bytes.resize(entries * storedBytes(format, rowsPerEntry));
  std::byte* to = out.bytes.data();
  switch (format) {
  case PaletteFormat::f32:
    std::memcpy(to, rows.data(), rows.size_bytes());
    break;
  case PaletteFormat::f16:
    for (const vec4& row : rows) {
      convertRow(row, toHalf, to);
      to += 8;
    }
    break;
  case PaletteFormat::dq32:
    for (std::size_t i = 0; i < rows.size(); i += rowsPerEntry) {
      std::memcpy(to, &rows[i], 2 * sizeof(vec4));
      to += 2 * sizeof(vec4);
    }
    break;
  case PaletteFormat::dq16:
    out.scale = largestDual(rows, rowsPerEntry);
    for (std::size_t i = 0; i < rows.size(); i += rowsPerEntry) {
      convertRow(rows[i], toFraction, to);
      convertRow(rows[i + 1] / out.scale, toFraction, to + 8);
      to += 16;
    }
    break;
  }
}

std::vector<vec4> loadPalette(PaletteFormat format, const StoredPalette& stored,
                              std::uint32_t rowsPerEntry) {
  const std::size_t entries = stored.bytes.size() / storedBytes(format, rowsPerEntry);
  std::vector<vec4> rows(entries * rowsPerEntry);
  const std::byte* from = stored.bytes.data();
  if (format == PaletteFormat::f32) {
    std::memcpy(rows.data(), from, stored.bytes.size());
  } else if (format == PaletteFormat::f16) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = decodeRow(from + 8 * i, halfToFloat);
  } else {
    for (std::size_t e = 0; e < entries; ++e) {
      vec4* entry = rows.data() + e * rowsPerEntry;
      for (std::size_t r = 0; r < kDualQuaternionRows; ++r)
        if (format == PaletteFormat::dq32)
          std::memcpy(&entry[r], from + (2 * e + r) * sizeof(vec4), sizeof(vec4));
        else
          entry[r] =
              decodeRow(from + (2 * e + r) * 8, fractionToFloat) * (r == 0 ? 1.0f : stored.scale);
      for (std::uint32_t r = kDualQuaternionRows; r < rowsPerEntry; ++r)
        entry[r][static_cast<int>(r - kDualQuaternionRows)] = 1.0f;
    }
  }
  return rows;
}

PaletteError paletteError(PaletteFormat format, const Method& method, const Rig& rig,
                          const Binding& binding, const Palette& palette) {
  PaletteError out;
  if (format == PaletteFormat::f32 || binding.rowsPerEntry == 0) return out;
  StoredPalette stored;
  storePalette(format, palette.rows, binding.rowsPerEntry, stored);
  Palette loaded{loadPalette(format, stored, binding.rowsPerEntry), palette.nonUniformScale};
  if (holdsDualQuaternions(format)) loaded.nonUniformScale = false;
  SkinnedMesh expected, rounded;
  method.skin(rig, binding, palette, expected);
  method.skin(rig, binding, loaded, rounded);
  // Half a step each way in four components, and the rounding of the arithmetic.
  const float real = (format == PaletteFormat::dq16 ? 2.0f / kSteps : 0.0f) + 1e-6f;
  const float dual = real * largestDual(palette.rows, binding.rowsPerEntry);
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const vec3& p = rig.positions[v];
    const VertexBound bound = format == PaletteFormat::f16
                                  ? matricesBound(binding, palette, v, p)
                                  : dualBound(binding, palette, v, p, real, dual);
    if (bound.ambiguous) {
      ++out.ambiguous;
      continue;
    }
    out.largest = std::max(out.largest, glm::distance(expected.positions[v], rounded.positions[v]));
    out.bound = std::max(out.bound, bound.distance);
  }
  return out;
}

} // namespace sinew
