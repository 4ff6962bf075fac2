// What shaders say of further attributes: render/further_attributes.h without an OpenGL call.
#include "render/further_attributes.h"
#include "render/vertex_layout.h"

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 5> kComponents{"", ".x", ".xy", ".xyz", ""};

} // namespace

std::vector<FurtherTexture> furtherTextures(const Binding& binding, bool tangents) {
  std::vector<FurtherTexture> out;
  for (const bool bytes : {false, true}) {
    FurtherTexture texture{kFurtherTextures[bytes ? 1 : 0], bytes, {}};
    for (std::size_t a = locatedCount(binding, tangents); a < binding.attributes.size(); ++a)
      if ((binding.attributes[a].format == AttributeFormat::snorm8x3) == bytes)
        texture.attributes.push_back(a);
    if (!texture.attributes.empty()) out.push_back(std::move(texture));
  }
  return out;
}

std::string furtherDeclarations(const Binding& binding, bool tangents) {
  std::string out;
  for (const FurtherTexture& texture : furtherTextures(binding, tangents))
    out += fmt::format("uniform {} {};\n", texture.bytes ? "isamplerBuffer" : "samplerBuffer",
                       texture.name);
  return out;
}

std::vector<std::string> furtherDefines(const Binding& binding, bool tangents,
                                        std::string_view vertex) {
  std::vector<std::string> out;
  for (const FurtherTexture& texture : furtherTextures(binding, tangents))
    for (std::size_t i = 0; i < texture.attributes.size(); ++i) {
      const Attribute& attribute = binding.attributes[texture.attributes[i]];
      const std::string texel = fmt::format(
          "texelFetch({}, {} * {} + {}){}", texture.name, vertex, texture.attributes.size(), i,
          kComponents.at(static_cast<std::size_t>(componentCount(attribute.format))));
      out.push_back(attribute.name +
                    (texture.bytes ? fmt::format(" (vec3({}) / 127.0)", texel) : " " + texel));
    }
  return out;
}

} // namespace sinew
