// The binary part of a glTF file while it grows: typed arrays in, accessor indices out.
#pragma once

#include "core/transform.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tiny_gltf.h>
#include <vector>

namespace sinew {

using JointSet8 = std::array<std::uint8_t, 4>;
using JointSet16 = std::array<std::uint16_t, 4>;

// What a buffer view is for; the format distinguishes vertices and indices from the rest.
enum class GlbUse { vertices, indices, other };

class GlbBuffer {
 public:
  explicit GlbBuffer(tinygltf::Model& file);

  int addView(const void* data, std::size_t bytes, GlbUse use);

  int add(std::span<const float> values, GlbUse use, bool bounds);
  int add(std::span<const vec2> values, GlbUse use);
  int add(std::span<const vec3> values, GlbUse use, bool bounds = false);
  int add(std::span<const vec4> values, GlbUse use);
  int add(std::span<const mat4> values);
  int add(std::span<const std::uint32_t> indices);
  int add(std::span<const JointSet8> joints);
  int add(std::span<const JointSet16> joints);

  // A vec3 per vertex, zero but for the ascending vertices named: as a sparse accessor where that
  // is smaller.
  int addOffsets(std::span<const std::uint32_t> vertices, std::span<const vec3> offsets,
                 std::size_t count);

  // Key times: clips repeat the same ones, which are written once.
  int addTimes(const std::vector<float>& times);

 private:
  int accessor(int view, std::size_t count, int type, int component);

  tinygltf::Model& file_;
  std::map<std::vector<float>, int> times_;
};

} // namespace sinew
