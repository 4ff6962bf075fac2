#include "core/error.h"

namespace sinew {
namespace {

// Messages are one line whatever a library put into its own.
std::string oneLine(std::string_view what, std::string_view remedy) {
  std::string message(what);
  if (!remedy.empty()) message.append("; ").append(remedy);
  for (char& c : message)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return message;
}

} // namespace

Error inputError(std::string_view path, std::string_view what, std::string_view remedy) {
  return {ExitCode::input, oneLine(std::string(path) + ": " + std::string(what), remedy)};
}

Error usageError(std::string_view what, std::string_view remedy) {
  return {ExitCode::usage, oneLine(what, remedy)};
}

Error graphicsError(std::string_view what, std::string_view remedy) {
  return {ExitCode::graphics, oneLine(what, remedy)};
}

} // namespace sinew
