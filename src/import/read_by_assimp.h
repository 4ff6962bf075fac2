// Formats that Assimp reads: all but those of our own readers. The module for browsers has
// another implementation (src/wasm), without them.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"

#include <string>
#include <string_view>

namespace sinew {

// The name of the format of files with that extension (without a dot); empty where none reads it.
std::string assimpFormat(std::string_view extension);

// The model as Assimp has it, its materials one for one. Errors: those of importModel().
Model readByAssimp(const SourceFile& file, const ImportOptions& options);

} // namespace sinew
