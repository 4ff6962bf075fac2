// importModel() in a separate process. On damaged files, readers of some formats crash,
// allocate without bound or hang: only the separate process ends, and the caller gets one error.
//
// Errors: those of importModel(); inputError if the reader crashed; Error with ErrorCause::limit
// beyond the seconds or the megabytes; Cancelled when options.progress returned false; it is
// called at least ten times a second whatever the reader does. May be called on any thread.
#pragma once

#include "import/import_model.h"

#include <cstddef>
#include <limits>
#include <sys/types.h>
#include <vector>

namespace sinew {

struct IsolationLimits {
  double seconds = std::numeric_limits<double>::infinity();
  double megabytes = 8192.0; // memory while reading, on top of what the caller has
  double processorSeconds = std::numeric_limits<double>::infinity(); // all threads together
};

Model importIsolated(const std::filesystem::path& path, const ImportOptions& options = {},
                     const IsolationLimits& limits = {});

// The same for any reader: it runs in the separate process, and its progress reaches `progress`
// here. path is what messages name.
using ModelReader = std::function<Model(const ImportProgress& progress)>;
Model readIsolated(const std::filesystem::path& path, const ModelReader& reader,
                   const ImportProgress& progress, const IsolationLimits& limits);

// The same for a reader of anything else; what comes back is as little trusted as the file.
using BytesReader = std::function<std::vector<std::byte>(const ImportProgress& progress)>;
std::vector<std::byte> bytesIsolated(const std::filesystem::path& path, const BytesReader& reader,
                                     const ImportProgress& progress, const IsolationLimits& limits);

// For the child of a fork: it is killed when the thread that forked ends, and at once where
// `parent` is no longer its parent. (Without that look a parent that ended between the fork and
// this call would leave the child to run on.)
void endWithParent(pid_t parent);

} // namespace sinew
