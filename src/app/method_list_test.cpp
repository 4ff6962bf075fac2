#include "animation/random_model.h"
#include "app/method_list.h"
#include "app/workbench.h"
#include "core/error.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

std::string problemWith(const std::string& list) {
  try {
    parseMethods(list);
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::usage);
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("a list of methods is read and written back, with parameters of single methods") {
  const auto choices = parseMethods("lbs,arc_spline:attachments=1:normals=exact,lbs");
  REQUIRE(choices.size() == 3);
  CHECK(choices[0] == MethodChoice{&findMethod("lbs")});
  CHECK(choices[1] ==
        MethodChoice{&findMethod("arc-spline"), {{"attachments", 1}, {"normals", 1}}});
  CHECK(methodsText(choices) == "lbs,arc-spline:attachments=1:normals=exact,lbs");
  CHECK(parseMethods("all").size() == methods().size());
  CHECK(makeTitle(choices[1]).find(", attachments=1, normals=exact") != std::string::npos);
  CHECK(makeTitle({&findMethod("lbs"), {{"attachments", 1}}}) == findMethod("lbs").title);
}

TEST_CASE("a list of methods that is wrong says what of it is") {
  CHECK(problemWith("lbs,magic").find("magic") != std::string::npos);
  CHECK(problemWith("lbs:attachments=9").find("attachments") != std::string::npos);
  CHECK(problemWith("lbs:size=1").find("size") != std::string::npos);
  CHECK(problemWith("lbs:").empty());
  CHECK(problemWith("lbs,,dqs").find("''") != std::string::npos);
  for (const char* list : {"", ",", "lbs,"})
    CHECK(!problemWith(list).empty());
  CHECK(parseMethods("all,all,lbs").size() == 2 * methods().size() + 1); // any number of views
  Settings settings;
  CHECK(onlyMethod(settings).method->name == "lbs");
  settings.methods = parseMethods("lbs,dqs");
  CHECK_NOTHROW(checkSettings(settings));
  CHECK_THROWS_AS(onlyMethod(settings), Error);
}

TEST_CASE("a method's own parameters win over those for all") {
  Settings settings;
  settings.parameters = parseParameters("attachments=2");
  const auto parameters = findMethod("arc-spline").parameters;
  const auto attachments = [&](const MethodChoice& choice) {
    const BindOptions options = makeBindOptions(settings, choice);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].name == "attachments") return options.parameters[i];
    return 0.0f;
  };
  CHECK(attachments({&findMethod("arc-spline")}) == 2.0f);
  CHECK(attachments({&findMethod("arc-spline"), {{"attachments", 1}}}) == 1.0f);
}

TEST_CASE("a workbench binds every method of the list, and again only what has changed") {
  Settings settings;
  settings.methods = parseMethods("lbs,arc-spline,dqs");
  Workbench workbench = makeWorkbench(randomModel(3), settings);
  REQUIRE(workbench.bound.size() == 3);
  CHECK(workbench.bound[1].method == &findMethod("arc-spline"));
  for (const BoundMethod& bound : workbench.bound)
    CHECK(!bound.palette.rows.empty());
  CHECK(rebind(workbench, settings).empty());
  settings.methods = parseMethods("lbs,arc-spline:attachments=1,dqs");
  CHECK(rebind(workbench, settings) == std::vector<std::size_t>{1});
  settings.methods = parseMethods("lbs,dqs");
  CHECK(rebind(workbench, settings) == std::vector<std::size_t>{1});
  CHECK(workbench.bound.size() == 2);
  settings.influences = 3;
  CHECK(rebind(workbench, settings).size() == 2);
}
