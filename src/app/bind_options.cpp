#include "app/bind_options.h"

#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

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

void checkParametersUsed(const Settings& settings, std::span<const MethodChoice> methods) {
  const auto has = [](const MethodChoice& choice, std::string_view name) {
    const auto& parameters = choice.method->parameters;
    return std::ranges::find(parameters, name, &Parameter::name) != parameters.end();
  };
  for (const ParameterSetting& setting : settings.parameters) {
    const bool used = std::ranges::any_of(
        methods, [&](const MethodChoice& choice) { return has(choice, setting.name); });
    const bool ofDifference = settings.difference && has(*settings.difference, setting.name);
    if (!used && !ofDifference)
      throw usageError(fmt::format("--set {}: no chosen method has this parameter", setting.name),
                       "choose one that has it by --method, or leave it out");
  }
}

const MethodChoice& onlyMethod(const Settings& settings) {
  if (settings.methods.size() > 1)
    throw usageError(
        fmt::format("--method {}: one method is expected here", methodsText(settings.methods)),
        "'sinew render' and 'sinew view' show several side by side");
  return settings.methods.front();
}

} // namespace sinew
