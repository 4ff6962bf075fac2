// A mesh of an FBX file: control points, polygons, and what their corners have.
#pragma once

#include "import/fbx/element.h"
#include "import/polygon_mesh.h"
#include "import/repairs.h"

namespace sinew {

// texcoordSet: by name; the first one where there is none of it. Layers that do not fit the mesh
// are left out with a line in warnings; polygons with points that do not exist are dropped. Throws
// FbxError where points and polygons are no such.
PolygonMesh readFbxGeometry(const FbxElement& element, const std::string& name,
                            const std::string& texcoordSet, RepairLog& repairs,
                            std::vector<std::string>& warnings);

} // namespace sinew
