// A mesh of an FBX file: control points, polygons, and what their corners have.
#pragma once

#include "import/fbx/element.h"
#include "import/repairs.h"
#include "model/mesh.h"

namespace sinew {

struct FbxGeometry {
  std::vector<glm::dvec3> points;
  std::vector<std::uint32_t> corners;     // control points of all polygons, one after another
  std::vector<std::uint32_t> polygons{0}; // where each begins, and where the last one ends
  // Per corner, or empty.
  std::vector<vec3> normals;
  std::vector<vec2> texcoords;          // (0, 0) is the image's upper left
  std::vector<vec4> colors;             // linear
  std::vector<std::uint32_t> materials; // per polygon: which of the model's; or empty

  std::size_t polygonCount() const { return polygons.size() - 1; }
};

// texcoordSet: by name; the first one where there is none of it. Layers that do not fit the mesh
// are left out with a line in warnings; polygons with points that do not exist are dropped. Throws
// FbxError where points and polygons are no such.
FbxGeometry readFbxGeometry(const FbxElement& element, const std::string& name,
                            const std::string& texcoordSet, RepairLog& repairs,
                            std::vector<std::string>& warnings);

} // namespace sinew
