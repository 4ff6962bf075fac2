#include "commands/standard_input.h"

#include "core/error.h"
#include "core/file.h"
#include "import/formats.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = std::size_t(4) << 30;

std::string readAll() {
  std::string all;
  std::array<char, 1 << 16> part;
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), stdin)) {
    all.append(part.data(), count);
    if (all.size() > kMaxBytes) throw Error(ErrorCause::limit, "standard input: longer than 4 GB");
  }
  return all;
}

} // namespace

StandardInput::StandardInput() {
  const std::string bytes = readAll();
  if (bytes.empty()) throw inputError("-", "standard input is empty");
  const Format* format = formatOfContent(std::string_view(bytes).substr(0, 4096));
  if (format == nullptr)
    throw inputError("-", "the format of standard input is not known",
                     fmt::format("{} .dae .obj are known by their content; write others to a file",
                                 listFormats(&Format::begins)));
  const fs::path pattern = fs::temp_directory_path() / "sinew-stdin-XXXXXX";
  try {
    path_ = folder_.emplace(pattern).path() / fmt::format("stdin.{}", format->extension);
  } catch (const std::system_error&) {
    throw usageError(pattern.string() + ": no temporary folder can be made", "set TMPDIR");
  }
  writeFile(path_, bytes);
}

} // namespace sinew
