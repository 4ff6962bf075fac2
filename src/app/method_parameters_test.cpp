#include "app/method_list.h"
#include "app/settings.h"
#include "core/error.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;

namespace {

BindOptions parsed(const char* text, const char* method = "bones-blending") {
  Settings settings;
  settings.parameters = parseParameters(text);
  return makeBindOptions(settings, findMethod(method));
}

std::string catchMessage(const char* text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::usage);
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("parameters are set by name, by number or by choice, and default otherwise") {
  const auto known = findMethod("bones-blending").parameters;
  REQUIRE(known.size() >= 2);
  const BindOptions none = parsed("");
  REQUIRE(none.parameters.size() == known.size());
  for (std::size_t i = 0; i < known.size(); ++i)
    CHECK(none.parameters[i] == known[i].value);
  const BindOptions set = parsed("attachments=1,parameter-source=zone");
  CHECK(set.parameters[0] == 1.0f);
  CHECK(set.parameters[1] == 1.0f);
}

TEST_CASE("a parameter of another method is ignored, one of none is refused") {
  CHECK(parsed("evaluation=vectorized", "lbs").parameters.empty());
  CHECK(catchMessage("colour=red").find("unknown parameter 'colour'") != std::string::npos);
  CHECK(catchMessage("attachments").find("NAME=VALUE") != std::string::npos);
  CHECK(catchMessage("attachments=7") ==
        "attachments: a whole number from 1 to 3 is expected, not '7'");
  CHECK(catchMessage("attachments=1.5").find("whole") != std::string::npos);
  CHECK(catchMessage("attachments=two").find("from 1 to 3") != std::string::npos);
  CHECK(catchMessage("parameter-source=guess").find("zone") != std::string::npos);
}

TEST_CASE("a message has the words before a parameter's name that its host gives") {
  CHECK_THROWS_WITH_AS(parseParameters("attachments=7", kSetOption),
                       "--set attachments: a whole number from 1 to 3 is expected, not '7'", Error);
  CHECK_THROWS_WITH_AS(parseParameters("attachments", kSetOption),
                       "--set 'attachments': expected NAME=VALUE", Error);
  Settings settings;
  settings.parameters = parseParameters("attachments=1");
  const std::vector<MethodChoice> linear = parseMethods("lbs");
  CHECK_THROWS_WITH_AS(checkParametersUsed(settings, linear),
                       doctest::Contains("attachments: no chosen"), Error);
  CHECK_THROWS_WITH_AS(checkParametersUsed(settings, linear, kSetOption),
                       doctest::Contains("--set attachments: no chosen"), Error);
}

TEST_CASE("changing a parameter keeps the others, and a default removes its entry") {
  const auto known = findMethod("bones-blending").parameters;
  ParameterSettings set = withParameter({}, known[0], 1.0f, 0.0f);
  CHECK(parametersText(set) == "parameter-source=zone");
  set = withParameter(set, known[1], 2.0f, 3.0f);
  CHECK(parametersText(set) == "parameter-source=zone,attachments=2");
  CHECK(parameterIn(set, known[1]) == 2.0f);
  CHECK(withParameter(withParameter(set, known[0], 0.0f, 0.0f), known[1], 3.0f, 3.0f).empty());
}

TEST_CASE("a parameter's name means the same in every method") {
  for (const Method& method : methods())
    for (const Parameter& parameter : method.parameters)
      for (const Method& other : methods())
        for (const Parameter& same : other.parameters) {
          if (same.name != parameter.name) continue;
          CAPTURE(parameter.name);
          CHECK(same.minimum == parameter.minimum);
          CHECK(same.maximum == parameter.maximum);
          CHECK(same.whole == parameter.whole);
          CHECK(std::ranges::equal(same.choices, parameter.choices));
        }
}

TEST_CASE("of two values for one parameter the first counts") {
  CHECK(parametersText(parseParameters("attachments=1,attachments=2")) == "attachments=1");
}
