#include "render/vertex_layout.h"

#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace sinew {
namespace {

struct FixedInput {
  GLuint location;
  std::string_view type, name;
};
constexpr std::array<FixedInput, 7> kFixedInputs{{
    {0, "vec3", "bindPosition"},
    {1, "vec3", "bindNormal"},
    {2, "vec2", "texcoord"},
    {3, "vec4", "color"},
    {kTangentLocation, "vec4", "bindTangent"},
    {kFieldLocation, "vec3", "field"},
    {kOffsetLocation, "vec3", "instanceOffset"},
}};

GLenum glType(AttributeFormat format) {
  switch (format) {
  case AttributeFormat::uint8x4:
    return GL_UNSIGNED_BYTE;
  case AttributeFormat::uint16x4:
  case AttributeFormat::unorm16x4:
    return GL_UNSIGNED_SHORT;
  default:
    return GL_FLOAT;
  }
}

std::string declaration(GLuint location, std::string_view type, std::string_view name) {
  return fmt::format("layout(location = {}) in {} {};\n", location, type, name);
}

// GLSL: the words from `first` on as an input of the shader.
std::string storedValue(const VertexAttribute& attribute, std::size_t first) {
  const auto word = [&](std::size_t i) { return fmt::format("vertexWords[at + {}u]", first + i); };
  if (attribute.type == GL_FLOAT) {
    std::string words = word(0);
    for (GLint i = 1; i < attribute.components; ++i)
      words += ", " + word(static_cast<std::size_t>(i));
    if (attribute.components == 1) return fmt::format("uintBitsToFloat({})", words);
    return fmt::format("uintBitsToFloat(uvec{}({}))", attribute.components, words);
  }
  if (attribute.normalized)
    return fmt::format("vec4(unpackUnorm2x16({}), unpackUnorm2x16({}))", word(0), word(1));
  if (attribute.type == GL_UNSIGNED_BYTE)
    return fmt::format("(uvec4({}) >> uvec4(0u, 8u, 16u, 24u)) & 255u", word(0));
  return fmt::format("(uvec4({0}, {0}, {1}, {1}) >> uvec4(0u, 16u, 0u, 16u)) & 65535u", word(0),
                     word(1));
}

// Writes one attribute of all vertices, its bytes at `offset` of each vertex.
void copyValues(const Attribute& attribute, std::size_t offset, std::size_t stride,
                std::vector<std::byte>& bytes) {
  const std::size_t size = byteSize(attribute.format);
  assert(attribute.data.size() * stride == bytes.size() * size);
  for (std::size_t to = offset, from = 0; from < attribute.data.size(); to += stride, from += size)
    std::memcpy(bytes.data() + to, attribute.data.data() + from, size);
}

} // namespace

GLuint fixedLocation(std::string_view name) {
  for (const FixedInput& input : kFixedInputs)
    if (input.name == name) return input.location;
  throw graphicsError("vertex shaders have no fixed input '" + std::string(name) + "'");
}

GLuint bindingLocation(std::size_t index) {
  if (index >= kMaxBindingAttributes)
    throw graphicsError(
        fmt::format("a method has more than {} vertex attributes", kMaxBindingAttributes));
  return kFirstBindingLocation + static_cast<GLuint>(index);
}

std::size_t locatedCount(const Binding& binding, bool tangents) {
  const auto fetched = std::ranges::find_if(binding.attributes,
                                            [](const Attribute& a) { return isFetched(a.format); });
  return std::min(static_cast<std::size_t>(fetched - binding.attributes.begin()),
                  kMaxBindingAttributes - (tangents ? 1 : 0));
}

std::string_view glslType(AttributeFormat format) {
  static constexpr std::array<std::string_view, 5> kFloats{"", "float", "vec2", "vec3", "vec4"};
  if (isInteger(format)) return "uvec4";
  return kFloats.at(static_cast<std::size_t>(componentCount(format)));
}

std::string inputDeclarations(const Binding& binding, std::size_t count, bool tangents) {
  std::string out;
  for (const FixedInput& input : kFixedInputs)
    if (tangents || input.location != kTangentLocation)
      out += declaration(input.location, input.type, input.name);
  for (std::size_t i = 0; i < count; ++i)
    out += declaration(bindingLocation(i), glslType(binding.attributes[i].format),
                       binding.attributes[i].name);
  return out;
}

std::string storedInputs(const Binding& binding, std::span<const VertexAttribute> attributes,
                         bool tangents) {
  std::string variables = "int vertexIndex = 0;\nint instanceIndex = 0;\n";
  std::string reads;
  const auto add = [&](GLuint location, std::string_view type, std::string_view name) {
    const auto found = std::ranges::find(attributes, location, &VertexAttribute::location);
    variables += fmt::format("{0} {1} = {0}(0);\n", type, name);
    if (found == attributes.end()) return;
    const std::size_t word = (found->offset - attributes.front().offset) / sizeof(std::uint32_t);
    reads += fmt::format("  {} = {};\n", name, storedValue(*found, word));
  };
  for (const FixedInput& input : kFixedInputs) // skin() takes no others
    if (input.name == "bindPosition" || input.name == "bindNormal" ||
        (tangents && input.location == kTangentLocation))
      add(input.location, input.type, input.name);
  for (std::size_t i = 0; i < locatedCount(binding, tangents); ++i)
    add(bindingLocation(i), glslType(binding.attributes[i].format), binding.attributes[i].name);
  return fmt::format("layout(std430, binding = {}) readonly buffer Vertices {{ uint vertexWords[]; "
                     "}};\n{}void readVertex(uint at) {{\n{}}}\n",
                     kVertexStorage, variables, reads);
}

InterleavedVertices interleave(std::span<const Attribute> fixed, std::span<const Attribute> bound,
                               std::size_t vertexCount) {
  InterleavedVertices out;
  std::size_t stride = 0;
  const auto place = [&](const Attribute& attribute, GLuint location) {
    out.attributes.push_back({.location = location,
                              .components = componentCount(attribute.format),
                              .type = glType(attribute.format),
                              .normalized = attribute.format == AttributeFormat::unorm16x4,
                              .integer = isInteger(attribute.format),
                              .offset = stride});
    stride += byteSize(attribute.format); // a multiple of 4 for every format: all stay aligned
  };
  for (const Attribute& attribute : fixed)
    place(attribute, fixedLocation(attribute.name));
  for (std::size_t i = 0; i < bound.size(); ++i)
    place(bound[i], bindingLocation(i));
  out.bytes.resize(stride * vertexCount);
  for (std::size_t i = 0; i < out.attributes.size(); ++i) {
    const Attribute& attribute = i < fixed.size() ? fixed[i] : bound[i - fixed.size()];
    out.attributes[i].stride = stride;
    copyValues(attribute, out.attributes[i].offset, stride, out.bytes);
  }
  return out;
}

} // namespace sinew
