#include "commands/option_text.h"

#include "demo/demo.h"
#include "skinning/methods.h"
#include "tools/figures/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>

namespace sinew {
namespace {

template <class Named>
std::vector<std::string> namesIn(std::span<const Named> all, const std::string& prefix = {}) {
  std::vector<std::string> names;
  for (const Named& each : all)
    names.push_back(prefix + std::string(each.name));
  return names;
}

std::string_view kindText(ValueKind kind) {
  switch (kind) {
  case ValueKind::text:
    return "TEXT";
  case ValueKind::integer:
    return "INTEGER";
  case ValueKind::number:
    return "NUMBER";
  case ValueKind::file:
    return "FILE";
  case ValueKind::folder:
    return "FOLDER";
  case ValueKind::model:
    return "MODEL";
  case ValueKind::method:
    return "METHOD";
  case ValueKind::figure:
    return "FIGURE";
  }
  return "TEXT";
}

} // namespace

std::string valueText(const Option& option) {
  if (option.isFlag()) return {};
  if (!option.valueName.empty()) return option.valueName;
  if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, "|"));
  return std::string(kindText(option.kind));
}

std::string defaultText(const Option& option) {
  if (!option.heldText.empty()) return option.heldText;
  return std::visit(
      []<class Target>(const Target& target) -> std::string {
        if constexpr (std::is_pointer_v<Target>) {
          using Value = std::remove_pointer_t<Target>;
          if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>)
            return fmt::format("{}", *target);
          else if constexpr (std::is_same_v<Value, std::vector<int>> ||
                             std::is_same_v<Value, std::vector<float>> ||
                             std::is_same_v<Value, std::vector<std::string>>)
            return fmt::format("{}", fmt::join(*target, ","));
        }
        return {};
      },
      option.target);
}

std::vector<std::string> valueWords(const Option& option) {
  if (!option.choices.empty()) return option.choices;
  switch (option.kind) {
  case ValueKind::model:
    return namesIn(demos(), "demo:");
  case ValueKind::method:
    return namesIn(methods());
  case ValueKind::figure:
    return namesIn(figures());
  default:
    return {};
  }
}

} // namespace sinew
