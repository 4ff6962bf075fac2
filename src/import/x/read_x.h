// DirectX .x files, text, binary and compressed, by the format's own rules: they become a Model.
// docs/formats.md says what of the format is read.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"

namespace sinew {

// Errors as those of importModel().
Model readX(const SourceFile& file, const ImportOptions& options);

} // namespace sinew
