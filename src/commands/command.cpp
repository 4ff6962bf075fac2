#include "commands/command.h"

#include "core/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

namespace sinew {
namespace {

template <class... Types>
bool holdsAny(const OptionTarget& target) {
  return (std::holds_alternative<Types>(target) || ...);
}

ValueKind toValueKind(const OptionTarget& target) {
  if (holdsAny<int*, std::uint32_t*, std::uint64_t*, std::vector<int>*, std::function<void(int)>>(
          target))
    return ValueKind::integer;
  if (holdsAny<float*, double*, std::optional<double>*, std::vector<float>*>(target))
    return ValueKind::number;
  return ValueKind::text;
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

bool Option::isFlag() const {
  return std::holds_alternative<bool*>(target) ||
         std::holds_alternative<std::function<void()>>(target);
}

bool Option::isCalled(std::string_view name) const {
  return std::find(names.begin(), names.end(), name) != names.end() ||
         std::find(negations.begin(), negations.end(), name) != negations.end();
}

std::string Option::valueText() const {
  if (isFlag()) return {};
  if (!valueName.empty()) return valueName;
  if (!choices.empty()) return fmt::format("{}", fmt::join(choices, "|"));
  return std::string(kindText(kind));
}

Option& Option::range(double min, double max) {
  allowed = ValueRange{min, max};
  return *this;
}

Option& Option::allow(std::vector<std::string> words) {
  choices = std::move(words);
  onlyChoices = true;
  return *this;
}

Option& Option::suggest(std::vector<std::string> words) {
  choices = std::move(words);
  return *this;
}

Option& Option::value(std::string name) {
  valueName = std::move(name);
  return *this;
}

Option& Option::as(ValueKind valueKind) {
  kind = valueKind;
  return *this;
}

Option& Option::in(std::string groupName) {
  group = std::move(groupName);
  return *this;
}

Option& Option::without(std::vector<std::string> others) {
  excludes = std::move(others);
  return *this;
}

Option& Option::count(std::size_t values) {
  valueCount = values;
  return *this;
}

Option& Option::separatedByCommas() {
  commas = true;
  return *this;
}

Option& Option::required(bool is) {
  isRequired = is;
  return *this;
}

Option& Option::showDefault(bool shown) {
  hasDefault = shown;
  return *this;
}

Option& Command::add(const std::string& names, OptionTarget target, std::string help) {
  Option option;
  for (const std::string& word : split(names, ',')) {
    if (word.front() == '!')
      option.negations.push_back(word.substr(1));
    else
      option.names.push_back(word);
  }
  option.kind = toValueKind(target);
  option.target = std::move(target);
  option.help = std::move(help);
  options.push_back(std::move(option));
  return options.back();
}

const Option& Command::find(std::string_view optionName) const {
  return options[findIndex(optionName)];
}

Option& Command::find(std::string_view optionName) {
  return options[findIndex(optionName)];
}

std::size_t Command::findIndex(std::string_view optionName) const {
  const auto found = std::find_if(options.begin(), options.end(), [&](const Option& option) {
    return option.isCalled(optionName);
  });
  assert(found != options.end());
  return static_cast<std::size_t>(found - options.begin());
}

bool Command::has(std::string_view optionName) const {
  return std::any_of(options.begin(), options.end(),
                     [&](const Option& option) { return option.isCalled(optionName); });
}

void Command::remove(std::string_view optionName) {
  std::erase_if(options, [&](const Option& option) { return option.isCalled(optionName); });
}

} // namespace sinew
