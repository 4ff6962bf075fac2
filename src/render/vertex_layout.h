// Where the vertex shader finds its inputs: locations by a rule, declarations in GLSL, and the
// bytes of interleaved vertices; and the same inputs for a compute shader, which reads them from
// those bytes.
//
// The inputs that every mesh may have are at fixed locations. Those of a binding follow from
// kFirstBindingLocation on, in the order of Binding::attributes.
#pragma once

#include "gl/vertex_array.h"
#include "skinning/binding.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

inline constexpr GLuint kFirstBindingLocation = 4;
inline constexpr GLuint kTangentLocation = 13; // if the mesh has tangents; else free for a binding
inline constexpr GLuint kFieldLocation = 14;   // a scalar shown as colour: a joint's weight, ...
inline constexpr GLuint kOffsetLocation = 15;  // position of a crowd's character, world space
static_assert(kMaxBindingAttributes == kFieldLocation - kFirstBindingLocation);

// The location of a fixed input by its name, and of an attribute of a binding by its index. Throws
// graphicsError for a name that is none of them or an index beyond kMaxBindingAttributes.
GLuint fixedLocation(std::string_view name);
GLuint bindingLocation(std::size_t index);

// How many of the binding's first attributes have locations. tangents: whether the mesh has some.
std::size_t locatedCount(const Binding& binding, bool tangents = false);

// "uvec4", "float", ...
std::string_view glslType(AttributeFormat format);

// "layout(location = 4) in uvec4 joints0;" and so on: every fixed input, bindTangent where there
// are tangents, and the first `count` of the binding's own, a line each.
std::string inputDeclarations(const Binding& binding, std::size_t count, bool tangents = false);

// For a compute shader: the inputs of skin() as variables, readVertex(word), which reads them from
// the storage buffer of the vertices, where `attributes` are, from that word on, and the numbers
// vertexIndex and instanceIndex. Inputs that are not among the attributes are 0.
inline constexpr GLuint kVertexStorage = 0; // binding point of that buffer
std::string storedInputs(const Binding& binding, std::span<const VertexAttribute> attributes,
                         bool tangents);

struct InterleavedVertices {
  std::vector<std::byte> bytes;
  std::vector<VertexAttribute> attributes; // all have the same stride
};

// All attributes, values in draw order already, as one block of bytes per vertex. `fixed` are the
// attributes of every mesh, by name; `bound` are those of the binding.
InterleavedVertices interleave(std::span<const Attribute> fixed, std::span<const Attribute> bound,
                               std::size_t vertexCount);

} // namespace sinew
