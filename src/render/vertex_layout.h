// Interleaved vertices: which bytes of a vertex hold which attribute of shaders/common/
// attributes.glsl. That file is the only table of locations; it is read here, not repeated.
#pragma once

#include "gl/vertex_array.h"
#include "render/mesh_split.h"
#include "skinning/binding.h"

#include <string_view>
#include <vector>

namespace sinew {

// Location of an attribute by its name in attributes.glsl. Throws graphicsError where it has none.
GLuint attributeLocation(std::string_view name);

struct InterleavedVertices {
  std::vector<std::byte> bytes;
  std::vector<VertexAttribute> attributes; // all with the same stride
};

// All attributes, values in draw order already, as one block of bytes per vertex.
InterleavedVertices interleave(std::span<const Attribute> attributes, std::size_t vertexCount);

} // namespace sinew
