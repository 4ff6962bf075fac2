// What a mesh of a .x file has of its vertices in the form of vertex buffers: DeclData (a vertex
// declaration of Direct3D 9) and FVFData (a flexible vertex format).
#pragma once

#include "core/transform.h"
#include "import/x/object.h"

#include <string>
#include <vector>

namespace sinew {

// One value per vertex each, or empty. As the file has them: left-handed, colours as painted.
struct XDeclaredVertices {
  std::vector<vec3> normals;
  std::vector<vec2> texcoords; // of the first set
  std::vector<vec4> colors;    // of the first set
  // What else there is: "tangents", "binormals", "further set of texture coordinates"...
  std::vector<std::string> unused;
  bool fits = true; // false: it is not of so many vertices, and nothing of it is read
};

// Throws XError where the object has fewer numbers than it says, or a type that does not exist.
XDeclaredVertices readDeclData(const XObject& object, std::size_t vertices);
XDeclaredVertices readFvfData(const XObject& object, std::size_t vertices);

} // namespace sinew
