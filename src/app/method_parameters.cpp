#include "app/method_parameters.h"

#include "core/error.h"
#include "core/text.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace sinew {
namespace {

float parseValue(const Parameter& parameter, const std::string& word, std::string_view before) {
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
    throw usageError(fmt::format("{}{}: a {}number from {} to {} is expected, not '{}'", before,
                                 parameter.name, parameter.whole ? "whole " : "", parameter.minimum,
                                 parameter.maximum, word));
  return value;
}

// The parameter of the first method that has one of that name.
const Parameter& findParameterOfAny(const std::string& name) {
  std::vector<std::string_view> known;
  for (const Method& method : methods())
    for (const Parameter& parameter : method.parameters) {
      if (parameter.name == name) return parameter;
      if (std::find(known.begin(), known.end(), parameter.name) == known.end())
        known.push_back(parameter.name);
    }
  throw unknownName("parameter", name, known);
}

} // namespace

ParameterSettings parseParameters(std::string_view text, std::string_view before) {
  ParameterSettings settings;
  for (const std::string& word : split(text, ',')) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      throw usageError(fmt::format("{}'{}': expected NAME=VALUE", before, word));
    const Parameter& parameter = findParameterOfAny(word.substr(0, equals));
    const float value = parseValue(parameter, word.substr(equals + 1), before);
    if (!findParameter(settings, parameter.name))
      settings.push_back({std::string(parameter.name), value});
  }
  return settings;
}

std::string parameterWord(const Parameter& parameter, float value) {
  if (parameter.choices.empty()) return fmt::format("{}", value);
  return std::string(parameter.choices[static_cast<std::size_t>(std::lround(value))]);
}

std::string parametersText(const ParameterSettings& settings, char separator) {
  std::string out;
  for (const auto& [name, value] : settings) {
    if (!out.empty()) out += separator;
    out += fmt::format("{}={}", name, parameterWord(findParameterOfAny(name), value));
  }
  return out;
}

std::optional<float> findParameter(const ParameterSettings& settings, std::string_view name) {
  const auto found = std::ranges::find(settings, name, &ParameterSetting::name);
  if (found == settings.end()) return std::nullopt;
  return found->value;
}

float parameterIn(const ParameterSettings& settings, const Parameter& parameter) {
  return findParameter(settings, parameter.name).value_or(parameter.value);
}

ParameterSettings withParameter(ParameterSettings settings, const Parameter& parameter, float value,
                                float without) {
  std::erase_if(settings,
                [&](const ParameterSetting& setting) { return setting.name == parameter.name; });
  if (value != without) settings.push_back({std::string(parameter.name), value});
  return settings;
}

} // namespace sinew
