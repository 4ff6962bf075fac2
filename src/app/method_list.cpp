#include "app/method_list.h"

#include "app/settings.h"
#include "core/error.h"
#include "core/text.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

MethodChoice parseChoice(const std::string& word) {
  const std::size_t colon = word.find(':');
  MethodChoice choice{&findMethod(word.substr(0, colon))};
  if (colon == std::string::npos) return choice;
  std::string parameters = word.substr(colon + 1);
  std::replace(parameters.begin(), parameters.end(), ':', ',');
  choice.parameters = parseParameters(parameters);
  return choice;
}

} // namespace

std::vector<MethodChoice> parseMethods(std::string_view text) {
  std::vector<MethodChoice> choices;
  for (const std::string& word : split(text, ',')) {
    if (word == "all")
      for (const Method& method : methods())
        choices.push_back({&method});
    else
      choices.push_back(parseChoice(word));
  }
  if (choices.empty() || text.back() == ',')
    throw usageError(fmt::format("'{}' is no list of methods", text),
                     "separate names by commas: lbs,arc-spline");
  return choices;
}

std::string methodText(const MethodChoice& choice) {
  std::string text(choice.method->name);
  if (!choice.parameters.empty()) text += ':' + parametersText(choice.parameters, ':');
  return text;
}

std::string methodsText(std::span<const MethodChoice> choices) {
  std::string text;
  for (const MethodChoice& choice : choices)
    text += (text.empty() ? "" : ",") + methodText(choice);
  return text;
}

std::string makeTitle(const MethodChoice& choice) {
  std::string title(choice.method->title);
  for (const Parameter& parameter : choice.method->parameters)
    if (const auto value = findParameter(choice.parameters, parameter.name))
      title += fmt::format(", {}={}", parameter.name, parameterWord(parameter, *value));
  return title;
}

std::string methodKey(std::size_t number) {
  return number <= 10 ? std::to_string(number % 10) : std::string();
}

ParameterSettings allParameters(const Settings& settings, const MethodChoice& choice) {
  ParameterSettings all = choice.parameters;
  for (const ParameterSetting& setting : settings.parameters)
    if (!findParameter(all, setting.name)) all.push_back(setting);
  return all;
}

BindOptions makeBindOptions(const Settings& settings, const Method& method) {
  return makeBindOptions(settings, MethodChoice{&method});
}

BindOptions makeBindOptions(const Settings& settings, const MethodChoice& choice) {
  const ParameterSettings all = allParameters(settings, choice);
  BindOptions options;
  options.influences = static_cast<std::uint32_t>(settings.influences);
  for (const Parameter& parameter : choice.method->parameters)
    options.parameters.push_back(parameterIn(all, parameter));
  return options;
}

void checkParametersUsed(const Settings& settings, std::span<const MethodChoice> methods,
                         std::string_view before) {
  const auto has = [](const MethodChoice& choice, std::string_view name) {
    const auto& parameters = choice.method->parameters;
    return std::ranges::find(parameters, name, &Parameter::name) != parameters.end();
  };
  for (const ParameterSetting& setting : settings.parameters) {
    const bool used = std::ranges::any_of(
        methods, [&](const MethodChoice& choice) { return has(choice, setting.name); });
    const bool ofDifference = settings.difference && has(*settings.difference, setting.name);
    if (!used && !ofDifference)
      throw usageError(
          fmt::format("{}{}: no chosen method has this parameter", before, setting.name),
          "choose a method that has it, or leave it out");
  }
}

const MethodChoice& onlyMethod(const Settings& settings) {
  if (settings.methods.size() > 1)
    throw usageError(
        fmt::format("method: one is expected here, not '{}'", methodsText(settings.methods)));
  return settings.methods.front();
}

} // namespace sinew
