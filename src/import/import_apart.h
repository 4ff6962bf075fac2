// importModel() in a process of its own. Readers of many formats meet files of every kind of
// damage, and some of them crash, run wild or never end; then only that process is lost, and the
// caller has one error to show.
//
// Errors: those of importModel(); inputError where the reader crashed; Error with ExitCode::limit
// beyond the seconds or the megabytes; Cancelled when options.progress returned false, which it is
// asked at least ten times a second whatever the reader does. May be called on any thread.
#pragma once

#include "import/import_model.h"

#include <limits>

namespace sinew {

struct ApartLimits {
  double seconds = std::numeric_limits<double>::infinity();
  double megabytes = 8192.0; // of memory while reading
};

Model importApart(const std::filesystem::path& path, const ImportOptions& options = {},
                  const ApartLimits& limits = {});

// The same for any reader: it runs in the process of its own, and its progress reaches `progress`
// here. path is what messages name.
using ModelReader = std::function<Model(const ImportProgress& progress)>;
Model readApart(const std::filesystem::path& path, const ModelReader& reader,
                const ImportProgress& progress, const ApartLimits& limits);

} // namespace sinew
