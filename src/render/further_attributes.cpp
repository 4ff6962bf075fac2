#include "render/further_attributes.h"

#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sinew {
namespace {

void checkFurther(const Binding& binding, const FurtherTexture& texture, std::size_t vertices) {
  for (const std::size_t a : texture.attributes)
    if (isInteger(binding.attributes[a].format))
      throw graphicsError(
          fmt::format("vertex attribute '{}' of integers is beyond the {} there are",
                      binding.attributes[a].name, kMaxBindingAttributes));
  GLint limit = 0;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &limit);
  const std::size_t texels = texture.attributes.size() * vertices;
  if (texels > static_cast<std::size_t>(limit))
    throw graphicsError(fmt::format("the vertices need {} texels of further attributes, and a "
                                    "buffer texture has {}",
                                    texels, limit),
                        "choose fewer methods, or --set attachments=1");
}

} // namespace

FurtherAttributes::FurtherAttributes(const Binding& binding,
                                     std::span<const std::uint32_t> sourceVertex, bool tangents) {
  for (FurtherTexture& layout : furtherTextures(binding, tangents)) {
    checkFurther(binding, layout, sourceVertex.size());
    Texels& texels = all_.emplace_back();
    texels.size = layout.bytes ? 4 : sizeof(glm::vec4);
    texels.bytes.resize(texels.size * layout.attributes.size() * sourceVertex.size());
    texels.layout = std::move(layout);
  }
  for (std::uint32_t drawn = 0; drawn < sourceVertex.size() && !all_.empty(); ++drawn)
    write(binding, sourceVertex[drawn], drawn);
  for (Texels& texels : all_) {
    texels.buffer = Buffer(texels.bytes, GL_STATIC_DRAW);
    texels.texture = BufferTexture(texels.buffer, texels.layout.bytes ? GL_RGBA8I : GL_RGBA32F);
  }
}

std::array<GLuint, 2> FurtherAttributes::textures() const {
  std::array<GLuint, 2> out{};
  for (const Texels& texels : all_)
    out[texels.layout.bytes ? 1 : 0] = texels.texture.name();
  return out;
}

void FurtherAttributes::write(const Binding& binding, std::uint32_t vertex, std::uint32_t drawn) {
  for (Texels& texels : all_) {
    std::byte* to =
        texels.bytes.data() + texels.size * texels.layout.attributes.size() * std::size_t{drawn};
    for (const std::size_t a : texels.layout.attributes) {
      const Attribute& attribute = binding.attributes[a];
      if (texels.layout.bytes) {
        std::memcpy(to, attribute.data.data() + texels.size * std::size_t{vertex}, texels.size);
      } else {
        const glm::vec4 value = readFloat(attribute, vertex);
        std::memcpy(to, &value, texels.size);
      }
      to += texels.size;
    }
  }
}

void FurtherAttributes::upload(std::uint32_t first, std::uint32_t last) {
  if (first > last) return;
  for (Texels& texels : all_) {
    const std::size_t stride = texels.size * texels.layout.attributes.size();
    texels.buffer.update(
        first * stride,
        std::span(texels.bytes).subspan(first * stride, (last + 1 - first) * stride));
  }
}

} // namespace sinew
