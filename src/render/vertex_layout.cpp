#include "render/vertex_layout.h"

#include "core/error.h"
#include "gl/shader_source.h"

#include <cassert>
#include <cstring>
#include <map>
#include <regex>
#include <string>

namespace sinew {
namespace {

using Locations = std::map<std::string, GLuint, std::less<>>;

Locations readLocations() {
  static const std::regex kDeclaration(R"(layout\(location = (\d+)\) in \w+ (\w+);)");
  const std::string text(findShaderSource("common/attributes.glsl").text);
  Locations locations;
  for (std::sregex_iterator i(text.begin(), text.end(), kDeclaration), end; i != end; ++i)
    locations[(*i)[2]] = static_cast<GLuint>(std::stoul((*i)[1]));
  return locations;
}

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

} // namespace

GLuint attributeLocation(std::string_view name) {
  static const Locations kLocations = readLocations();
  const auto found = kLocations.find(name);
  if (found == kLocations.end())
    throw graphicsError("shaders/common/attributes.glsl has no attribute '" + std::string(name) +
                        "'");
  return found->second;
}

InterleavedVertices interleave(std::span<const Attribute> attributes, std::size_t vertexCount) {
  InterleavedVertices out;
  std::size_t stride = 0;
  for (const Attribute& attribute : attributes) {
    out.attributes.push_back({.location = attributeLocation(attribute.name),
                              .components = componentCount(attribute.format),
                              .type = glType(attribute.format),
                              .normalized = attribute.format == AttributeFormat::unorm16x4,
                              .integer = isInteger(attribute.format),
                              .offset = stride});
    stride += byteSize(attribute.format); // a multiple of 4 for every format: all stay aligned
  }
  out.bytes.resize(stride * vertexCount);
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    const std::size_t size = byteSize(attributes[a].format);
    assert(attributes[a].data.size() == size * vertexCount);
    for (std::size_t v = 0; v < vertexCount; ++v)
      std::memcpy(out.bytes.data() + v * stride + out.attributes[a].offset,
                  attributes[a].data.data() + v * size, size);
    out.attributes[a].stride = stride;
  }
  return out;
}

} // namespace sinew
