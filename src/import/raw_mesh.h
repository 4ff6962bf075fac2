// A mesh as its file has it: every vertex, in the file's order, none joined and none left out.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"

namespace sinew {

// One mesh of positions, triangles and the triangles' normals, on a root node, whatever else the
// file holds. Errors: those of importModel(); inputError for a file of several meshes or of
// positions that are not finite.
Model readRawMesh(const SourceFile& file, const ImportOptions& options);

} // namespace sinew
