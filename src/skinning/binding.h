// Per-vertex data of a method, packed as the vertex buffer will hold it. The CPU reference reads
// the same packed bytes, so quantisation is part of the result and not of the error.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

enum class AttributeFormat {
  uint8x4,   // integers (uvec4 in GLSL)
  uint16x4,  // integers
  unorm16x4, // 0..65535 read as 0..1
  float1,
  float2,
  float3,
  float4,
};

std::size_t byteSize(AttributeFormat format);
bool isInteger(AttributeFormat format);
int componentCount(AttributeFormat format);

// One vertex attribute: tightly packed, one value per vertex.
struct Attribute {
  std::string name; // as declared in shaders/common/attributes.glsl
  AttributeFormat format = AttributeFormat::float4;
  // Integers that name palette items. Where the palette does not fit, the renderer splits the mesh
  // by item subset and rewrites these; nothing else is known of them.
  bool palette = false;
  std::vector<std::byte> data;
};

struct Binding {
  std::uint32_t vertexCount = 0;
  std::uint32_t itemCount = 0;   // palette items: joints, or splines
  std::uint32_t rowsPerItem = 0; // vec4 rows of one item
  std::vector<Attribute> attributes;
  // What pack needs to know of each item beside the rig, found while binding; the method alone
  // knows what it means. Not on the GPU.
  std::vector<glm::vec4> constants;
  // What each of these rows holds, in words, for who takes the shader away.
  std::vector<std::string_view> rowTexts;
  // Whether skin() gives normals; without them the vertex buffer leaves out the bind pose's too.
  bool normals = true;
  // "NAME VALUE" lines for the GLSL of this binding, such as "INFLUENCE_GROUPS 2".
  std::vector<std::string> defines;
};

// Writing: appends one value to the attribute.
void append(Attribute& attribute, const glm::uvec4& value);
void append(Attribute& attribute, const glm::vec4& value); // floats use the first components

// Reading: the value the vertex shader would see.
glm::uvec4 readUint(const Attribute& attribute, std::size_t vertex);
glm::vec4 readFloat(const Attribute& attribute, std::size_t vertex);

bool hasDefine(const Binding& binding, std::string_view name);

const Attribute& findAttribute(const Binding& binding, const std::string& name);

// Weights in [0, 1] summing to 1 as 16-bit fractions summing to exactly 65535, each within one
// step of its weight. In place: weights become multiples of 1/65535.
void quantizeWeights(std::span<float> weights);

} // namespace sinew
