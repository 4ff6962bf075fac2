#include "core/error.h"

namespace sinew {
namespace {

constexpr std::size_t kLongest = 2000; // bytes; a name in a file may have a million

// Messages are one line whatever a library put into its own.
std::string oneLine(std::string_view what, std::string_view remedy) {
  std::string message(what.substr(0, kLongest));
  while (message.size() < what.size() && !message.empty() && (message.back() & 0x80) != 0)
    message.pop_back(); // not within a character
  if (message.size() < what.size()) message.append("...");
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
