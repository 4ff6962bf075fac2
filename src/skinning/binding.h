// Per-vertex data of a method, packed as the vertex buffer will hold it. The CPU reference reads
// the same packed bytes, so quantisation is part of the result and not of the error.
#pragma once

#include "skinning/variant.h"

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct BindingPart;

// As many as a vertex shader has locations for beside the inputs that every mesh may have; one less
// where a mesh has tangents. What a binding has more is fetched from a buffer texture
// (render/further_attributes); integers cannot be, so they stand first, and what always is stands
// last.
inline constexpr std::size_t kMaxBindingAttributes = 10;

enum class AttributeFormat {
  uint8x4,   // integers (uvec4 in GLSL)
  uint16x4,  // integers
  unorm16x4, // 0..65535 read as 0..1
  snorm8x3,  // -127..127 read as -1..1, and an unused byte; always fetched from a texture
  float1,
  float2,
  float3,
  float4,
  texel4, // four floats, always fetched from a texture
};

std::size_t byteSize(AttributeFormat format);
bool isInteger(AttributeFormat format);
bool isFetched(AttributeFormat format); // always from a texture: snorm8x3 and texel4
int componentCount(AttributeFormat format);

// One vertex attribute: tightly packed, one value per vertex.
struct Attribute {
  std::string name; // in GLSL, where its type and location follow from the format and the order
  AttributeFormat format = AttributeFormat::float4;
  // The values are indices of palette entries. If the palette does not fit, the renderer splits the
  // mesh by subsets of entries and rewrites these indices, and interprets no other attribute.
  bool palette = false;
  std::vector<std::byte> data;
};

// skin() for the vertices that need no more than the first attributes of a binding.
struct BindingForm {
  std::uint32_t attributes = 0;  // how many of Binding::attributes it reads
  std::uint32_t influences = 0;  // Variant::influences
  std::uint32_t attachments = 0; // Variant::attachments
  bool operator==(const BindingForm&) const = default;
};

struct Binding {
  std::uint32_t vertexCount = 0;
  std::uint32_t entryCount = 0;   // palette entries: joints, or splines
  std::uint32_t rowsPerEntry = 0; // vec4 rows of one entry
  std::vector<Attribute> attributes;
  // The values of Method::parameters in force, for pack and skin.
  std::vector<float> parameters;
  // Per entry, computed by bind for pack; only the method defines their meaning. Not uploaded to
  // the GPU.
  std::vector<glm::vec4> constants;
  // What each of these rows holds, in words: documentation of the exported shader.
  std::vector<std::string_view> rowTexts;
  // The largest share of a vertex that the method itself, beside BindOptions::influences, has left
  // out.
  float largestCut = 0.0f;
  // Whether it has what Method::skinTangents takes, if the rig has tangents.
  bool tangents = true;
  // What the GLSL is compiled for. Without normals the vertex buffer leaves out the bind pose's
  // too.
  Variant variant;
  // Forms of skin(), the cheapest first, so that a vertex pays for what it needs; the last is the
  // whole and serves every vertex. Empty: there is the whole alone.
  std::vector<BindingForm> forms;
  std::vector<std::uint8_t> formByVertex; // the cheapest that serves it; empty with `forms`
  // What the methods of a mixture have bound. The attributes and rows above are then theirs side by
  // side, and the mixture's GLSL calls their skin_0(), skin_1() and so on.
  std::vector<BindingPart> parts;
};

struct Method;

// Another method's part of a binding.
struct BindingPart {
  const Method* method = nullptr;
  Binding binding;
  std::uint32_t firstRow = 0;     // its first row in an entry of the whole
  std::vector<std::string> names; // names of its attributes in the whole
};

// Writing: appends one value to the attribute.
void append(Attribute& attribute, const glm::uvec4& value);
void append(Attribute& attribute, const glm::vec4& value); // floats use the first components

// Replaces a vertex's value of an attribute of floats or of snorm8x3.
void write(Attribute& attribute, std::size_t vertex, const glm::vec4& value);

// Reading: the value the vertex shader would see.
glm::uvec4 readUint(const Attribute& attribute, std::size_t vertex);
glm::vec4 readFloat(const Attribute& attribute, std::size_t vertex);

// Orders the attributes as kMaxBindingAttributes asks: integers, others, those that are fetched.
void putFetchedLast(Binding& binding);

// At least one: the whole.
std::vector<BindingForm> listForms(const Binding& binding);

const Attribute& findAttribute(const Binding& binding, const std::string& name);
Attribute& findAttribute(Binding& binding, const std::string& name);

// Weights in [0, 1] summing to 1 as 16-bit fractions summing to exactly 65535, each within one
// step of its weight. In place: weights become multiples of 1/65535.
void quantizeWeights(std::span<float> weights);

} // namespace sinew
