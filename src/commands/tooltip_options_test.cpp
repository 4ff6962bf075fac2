#include "app/method_list.h"
#include "app/method_parameters.h"
#include "app/settings.h"
#include "commands/commands.h"
#include "skinning/methods.h"
#include "viewer/panels/controls.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

namespace sinew {

TEST_CASE("tooltips: the options that they name are those of the command line") {
  const Command view = viewCommand();
  Settings settings;
  visitSettings(settings, [&](const OptionInfo& info, auto&) {
    const std::string name = optionFor(info);
    CAPTURE(name);
    CHECK(std::ranges::any_of(view.options,
                              [&](const Option& option) { return option.isCalled(name); }));
  });
  for (const Method& method : methods())
    for (const Parameter& parameter : method.parameters) {
      const std::string option = optionFor(parameter);
      CAPTURE(option);
      const std::string head = "--set ", tail = "VALUE";
      REQUIRE(option.starts_with(head));
      REQUIRE(option.ends_with(tail));
      const std::string value = parameter.choices.empty() ? fmt::format("{}", parameter.minimum)
                                                          : std::string(parameter.choices.back());
      Settings given;
      given.methods = {{&method}};
      readSetting(option.substr(head.size(), option.size() - head.size() - tail.size()) + value,
                  given.parameters);
      CHECK_NOTHROW(checkSettings(given));
    }
}

} // namespace sinew
