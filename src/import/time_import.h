// How long reading a file takes, without the start of a process.
#pragma once

#include "import/isolated_import.h"

#include <filesystem>
#include <vector>

namespace sinew {

// Seconds of every round.
struct ImportTimes {
  std::vector<double> own; // importModel(), which repairs, welds and decodes textures as asked
  std::vector<double>
      assimp; // ReadFile() alone, triangulating; empty where Assimp reads no such file
};

// Reads the file by turns with both, in one sandboxed process (isolated_import.h): at least three
// rounds, then until `seconds` have passed or there were 1000. Errors: those of importIsolated().
ImportTimes timeImport(const std::filesystem::path& path, const ImportOptions& options,
                       double seconds, const IsolationLimits& limits);

} // namespace sinew
