// FBX 6 and 7, binary and ASCII, by the format's own rules: .fbx becomes a Model. docs/formats.md
// says what of the format is read.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"

namespace sinew {

// Errors as those of importModel().
Model readFbx(const SourceFile& file, const ImportOptions& options);

} // namespace sinew
