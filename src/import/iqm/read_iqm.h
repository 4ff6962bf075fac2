// Inter-Quake Models, version 2, by the format's own rules: .iqm becomes a Model. docs/formats.md
// says what of the format is read.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"

namespace sinew {

// Errors as those of importModel().
Model readIqm(const SourceFile& file, const ImportOptions& options);

} // namespace sinew
