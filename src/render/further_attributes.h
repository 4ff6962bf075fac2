// The attributes of a binding that are no vertex attributes: texels of buffer textures that the
// vertex shader fetches by gl_VertexID, one for each attribute and vertex. Attributes of snorm8x3
// are in a texture of bytes. Those of texel4, and others without a location left, are in a texture
// of floats. Integers cannot be among them.
#pragma once

#include "gl/texture.h"
#include "skinning/binding.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct FurtherTexture {
  std::string_view name;               // name of the sampler
  bool bytes = false;                  // RGBA8I, else RGBA32F
  std::vector<std::size_t> attributes; // indices into the binding's; a texel per vertex each
};
inline constexpr std::array<std::string_view, 2> kFurtherTextures{"furtherAttributes",
                                                                  "furtherDirections"};

// The textures that the binding needs. tangents: the mesh has tangents, here and below.
std::vector<FurtherTexture> furtherTextures(const Binding& binding, bool tangents = false);

// "uniform samplerBuffer furtherAttributes;" and so on, a line each.
std::string furtherDeclarations(const Binding& binding, bool tangents = false);
// "spline2 texelFetch(furtherAttributes, gl_VertexID * 3 + 1)" and so on, as #define takes them.
// vertex: the GLSL expression for the number of the vertex.
std::vector<std::string> furtherDefines(const Binding& binding, bool tangents = false,
                                        std::string_view vertex = "gl_VertexID");

class FurtherAttributes {
 public:
  FurtherAttributes() = default;
  // sourceVertex: the binding's vertex for every vertex in draw order. Throws graphicsError for an
  // integer attribute, and where no buffer texture is large enough.
  FurtherAttributes(const Binding& binding, std::span<const std::uint32_t> sourceVertex,
                    bool tangents);

  bool empty() const { return all_.empty(); }

  // The textures in the order of kFurtherTextures; 0: not needed.
  std::array<GLuint, 2> textures() const;

  // write() sets the values of a vertex in draw order to those of the binding's vertex. upload()
  // then uploads the range of changed vertices in draw order, both ends included.
  void write(const Binding& binding, std::uint32_t vertex, std::uint32_t drawn);
  void upload(std::uint32_t first, std::uint32_t last);

 private:
  struct Texels {
    FurtherTexture layout;
    std::size_t size = 0; // bytes of a texel
    std::vector<std::byte> bytes;
    Buffer buffer;
    BufferTexture texture;
  };
  std::vector<Texels> all_;
};

} // namespace sinew
