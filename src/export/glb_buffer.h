// A glTF file while it is written: its JSON, and the bytes of its first buffer. Typed arrays in,
// indices of accessors out.
#pragma once

#include "core/transform.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace sinew {

using GltfJson = nlohmann::ordered_json;

using JointSet8 = std::array<std::uint8_t, 4>;
using JointSet16 = std::array<std::uint16_t, 4>;

// Component types of accessors.
namespace component {
inline constexpr int kByte = 5120;
inline constexpr int kUnsignedByte = 5121;
inline constexpr int kShort = 5122;
inline constexpr int kUnsignedShort = 5123;
inline constexpr int kUnsignedInt = 5125;
inline constexpr int kFloat = 5126;
} // namespace component

// What a buffer view is for; the format distinguishes vertices and indices from the rest.
enum class GlbUse { vertices, indices, other };

// How an accessor has values of vertices.
struct VertexLayout {
  const char* type = "VEC4";
  int componentType = component::kFloat;
  bool normalized = false;
};

// The number with as few digits as a float needs.
double shortNumber(float value);
GltfJson numbersJson(std::span<const float> values);
template <glm::length_t N>
GltfJson numbersJson(const glm::vec<N, float>& v) {
  return numbersJson(std::span<const float>(&v[0], static_cast<std::size_t>(N)));
}

// Appends to the array `key` of an object, which need not be there, and returns the index.
std::size_t appendTo(GltfJson& object, const char* key, GltfJson value);

// Adds a name to extensionsUsed.
void useExtension(GltfJson& file, const char* name);

class GlbBuffer {
 public:
  // file: its accessors, buffer views and first buffer grow. bytes: those of that buffer so far.
  explicit GlbBuffer(GltfJson& file, std::string bytes = {});

  std::size_t addView(const void* data, std::size_t bytes, GlbUse use);

  std::size_t add(std::span<const float> values, GlbUse use, bool bounds);
  std::size_t add(std::span<const vec2> values, GlbUse use);
  std::size_t add(std::span<const vec3> values, GlbUse use, bool bounds = false);
  std::size_t add(std::span<const vec4> values, GlbUse use);
  std::size_t add(std::span<const mat4> values);
  std::size_t add(std::span<const std::uint32_t> indices);
  std::size_t add(std::span<const JointSet8> joints);
  std::size_t add(std::span<const JointSet16> joints);

  // Values of vertices as they are in memory, `stride` bytes each, which is a multiple of 4.
  std::size_t add(std::span<const std::byte> values, std::size_t stride,
                  const VertexLayout& layout);

  // A vec3 per vertex, zero but for the ascending vertices named: as a sparse accessor where that
  // is smaller.
  std::size_t addOffsets(std::span<const std::uint32_t> vertices, std::span<const vec3> offsets,
                         std::size_t count);

  // Key times: clips repeat the same ones, which are written once.
  std::size_t addTimes(const std::vector<float>& times);

  // The .glb of the file, whose JSON gets the length of the buffer. Throws usageError beyond 4 GB.
  std::string finish();
  // The bytes so far; what the JSON says of their length is not set yet.
  std::string takeBytes() { return std::move(bytes_); }

 private:
  std::size_t accessor(GltfJson view, std::size_t count, const char* type, int component);

  GltfJson& file_;
  std::string bytes_;
  std::map<std::vector<float>, std::size_t> times_;
};

} // namespace sinew
