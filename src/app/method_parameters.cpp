#include "app/method_parameters.h"

#include "core/error.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace sinew {
namespace {

using Entry = std::pair<std::string, std::string>;

std::vector<Entry> entriesOf(const std::string& text) {
  std::vector<Entry> entries;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      throw usageError(fmt::format("--set '{}': expected NAME=VALUE", word));
    entries.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return entries;
}

float valueOf(const Parameter& parameter, const std::string& word) {
  const auto& choices = parameter.choices;
  if (!choices.empty()) {
    const auto found = std::find(choices.begin(), choices.end(), word);
    if (found == choices.end()) throw unknownName(parameter.name, word, choices);
    return static_cast<float>(found - choices.begin());
  }
  char* end = nullptr;
  const float value = std::strtof(word.c_str(), &end);
  const bool inRange = value >= parameter.minimum && value <= parameter.maximum;
  if (word.empty() || *end != '\0' || !inRange || (parameter.whole && value != std::round(value)))
    throw usageError(fmt::format("--set {}={}: a {}number from {} to {} is expected",
                                 parameter.name, word, parameter.whole ? "whole " : "",
                                 parameter.minimum, parameter.maximum));
  return value;
}

std::string wordOf(const Parameter& parameter, float value) {
  if (parameter.choices.empty()) return fmt::format("{}", value);
  return std::string(parameter.choices[static_cast<std::size_t>(std::lround(value))]);
}

} // namespace

void checkParameters(const std::string& text) {
  for (const auto& [name, word] : entriesOf(text)) {
    std::vector<std::string_view> known;
    bool found = false;
    for (const Method& method : methods())
      for (const Parameter& parameter : method.parameters) {
        if (std::find(known.begin(), known.end(), parameter.name) == known.end())
          known.push_back(parameter.name);
        if (parameter.name != name) continue;
        valueOf(parameter, word);
        found = true;
      }
    if (!found) throw unknownName("parameter", name, known);
  }
}

float parameterIn(const std::string& text, const Parameter& parameter) {
  for (const auto& [name, word] : entriesOf(text))
    if (name == parameter.name) return valueOf(parameter, word);
  return parameter.value;
}

std::string parameterWordIn(const std::string& text, const Parameter& parameter) {
  for (const auto& [name, word] : entriesOf(text))
    if (name == parameter.name) return word;
  return {};
}

std::string allParameters(const Settings& settings, const MethodChoice& choice) {
  const bool both = !choice.parameters.empty() && !settings.parameters.empty();
  return choice.parameters + (both ? "," : "") + settings.parameters;
}

std::string withParameter(const std::string& text, const Parameter& parameter, float value,
                          float without) {
  std::vector<Entry> entries = entriesOf(text);
  std::erase_if(entries, [&](const Entry& entry) { return entry.first == parameter.name; });
  if (value != without) entries.emplace_back(parameter.name, wordOf(parameter, value));
  std::string out;
  for (const auto& [name, word] : entries)
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", name, word);
  return out;
}

namespace {

BindOptions bindOptionsOf(const Settings& settings, const Method& method, const std::string& text) {
  checkParameters(text);
  BindOptions options;
  options.influences = static_cast<std::uint32_t>(settings.influences);
  for (const Parameter& parameter : method.parameters)
    options.parameters.push_back(parameterIn(text, parameter));
  return options;
}

} // namespace

BindOptions bindOptionsOf(const Settings& settings, const Method& method) {
  return bindOptionsOf(settings, method, settings.parameters);
}

BindOptions bindOptionsOf(const Settings& settings, const MethodChoice& choice) {
  return bindOptionsOf(settings, findMethod(choice.method), allParameters(settings, choice));
}

} // namespace sinew
