#include "app/method_list.h"

#include "app/method_parameters.h"
#include "core/error.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace sinew {
namespace {

MethodChoice choiceOf(const std::string& word) {
  const std::size_t colon = word.find(':');
  MethodChoice choice;
  choice.method = findMethod(word.substr(0, colon)).name;
  if (colon != std::string::npos) choice.parameters = word.substr(colon + 1);
  std::replace(choice.parameters.begin(), choice.parameters.end(), ':', ',');
  checkParameters(choice.parameters);
  return choice;
}

} // namespace

std::vector<MethodChoice> methodChoices(const std::string& text, std::size_t most) {
  std::vector<MethodChoice> choices;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) {
    if (word == "all")
      for (const std::string& name : methodNames())
        choices.push_back({name, {}});
    else
      choices.push_back(choiceOf(word));
  }
  if (choices.empty() || text.back() == ',')
    throw usageError(fmt::format("'{}' is no list of methods", text),
                     "separate names by commas: lbs,arc-spline");
  if (choices.size() > most)
    throw usageError(fmt::format("'{}' names {} methods; at most {} are shown at once", text,
                                 choices.size(), most));
  return choices;
}

std::string methodListOf(std::span<const MethodChoice> choices) {
  std::string text;
  for (const MethodChoice& choice : choices) {
    std::string parameters = choice.parameters;
    std::replace(parameters.begin(), parameters.end(), ',', ':');
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ",", choice.method,
                        parameters.empty() ? "" : ":", parameters);
  }
  return text;
}

MethodChoice onlyMethod(const Settings& settings) {
  const std::vector<MethodChoice> choices = methodChoices(settings.method);
  if (choices.size() > 1)
    throw usageError(fmt::format("--method {}: one method is expected here", settings.method),
                     "'sinew render' and 'sinew view' show several side by side");
  return choices.front();
}

std::string titleOf(const MethodChoice& choice) {
  const Method& method = findMethod(choice.method);
  std::string title(method.title);
  for (const Parameter& parameter : method.parameters)
    if (const std::string word = parameterWordIn(choice.parameters, parameter); !word.empty())
      title += fmt::format(", {}={}", parameter.name, word);
  return title;
}

} // namespace sinew
