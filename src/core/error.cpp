#include "core/error.h"

#include "core/text.h"

namespace sinew {
namespace {

constexpr std::size_t kMaxMessage = 2000; // bytes; a name in a file may have a million

// Messages are one line whatever a library put into its own.
std::string oneLine(std::string_view what, std::string_view remedy) {
  std::string message(utf8Prefix(what, kMaxMessage));
  if (message.size() < what.size()) message.append("...");
  if (!remedy.empty()) message.append("; ").append(remedy);
  for (char& c : message)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return message;
}

} // namespace

Error inputError(std::string_view path, std::string_view what, std::string_view remedy) {
  return {ErrorCause::input, oneLine(std::string(path) + ": " + std::string(what), remedy)};
}

Error usageError(std::string_view what, std::string_view remedy) {
  return {ErrorCause::usage, oneLine(what, remedy)};
}

Error makeUnknownName(std::string_view kind, std::string_view name,
                      std::span<const std::string> known) {
  std::string list;
  for (const std::string& each : known)
    list += (list.empty() ? "" : ", ") + each;
  const std::string meant = nearestName(name, known);
  return usageError("unknown " + std::string(kind) + " '" + std::string(name) + "'",
                    (meant.empty() ? "one of " : "did you mean '" + meant + "'? one of ") + list);
}

Error graphicsError(std::string_view what, std::string_view remedy) {
  return {ErrorCause::graphics, oneLine(what, remedy)};
}

} // namespace sinew
