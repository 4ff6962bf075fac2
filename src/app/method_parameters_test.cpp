#include "app/method_parameters.h"
#include "core/error.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

BindOptions parsed(const char* text, const char* method = "bones-blending") {
  Settings settings;
  settings.parameters = text;
  return bindOptionsOf(settings, findMethod(method));
}

std::string problemOf(const char* text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
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

TEST_CASE("a parameter of another method is left aside, one of none is refused") {
  CHECK(parsed("evaluation=together", "lbs").parameters.empty());
  CHECK(problemOf("colour=red").find("unknown parameter 'colour'") != std::string::npos);
  CHECK(problemOf("attachments").find("NAME=VALUE") != std::string::npos);
  CHECK(problemOf("attachments=7").find("from 1 to 3") != std::string::npos);
  CHECK(problemOf("attachments=1.5").find("whole") != std::string::npos);
  CHECK(problemOf("attachments=two").find("from 1 to 3") != std::string::npos);
  CHECK(problemOf("parameter-source=guess").find("zone") != std::string::npos);
}

TEST_CASE("changing a parameter's text keeps the others, and a default leaves it") {
  const auto known = findMethod("bones-blending").parameters;
  std::string text = withParameter("", known[0], 1.0f, 0.0f);
  CHECK(text == "parameter-source=zone");
  text = withParameter(text, known[1], 2.0f, 3.0f);
  CHECK(text == "parameter-source=zone,attachments=2");
  CHECK(parameterIn(text, known[1]) == 2.0f);
  CHECK(withParameter(withParameter(text, known[0], 0.0f, 0.0f), known[1], 3.0f, 3.0f).empty());
}
