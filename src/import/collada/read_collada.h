// Collada files, versions 1.4 and 1.5, by the format's own rules: .dae becomes a Model.
// docs/formats.md says what of the format is read.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"

namespace sinew {

// Errors as those of importModel().
Model readCollada(const SourceFile& file, const ImportOptions& options);

} // namespace sinew
