// scripts/soak: loads over and over, frames with any settings.
#include "core/error.h"
#include "tools/soak/soak.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

namespace {

struct Kind {
  std::string_view name;
  void (*run)(const sinew::SoakOptions& options);
};

constexpr Kind kKinds[] = {{"library", sinew::soakLibrary},
                           {"pictures", sinew::soakPictures},
                           {"window", sinew::soakWindow},
                           {"frames", sinew::soakFrames},
                           {"clicks", sinew::soakClicks}};

} // namespace

int main(int count, char** words) {
  if (count >= 4)
    for (const Kind& kind : kKinds)
      if (kind.name == words[1]) try {
          kind.run({.models = {words + 3, words + count}, .count = std::atoi(words[2])});
          return 0;
        } catch (const std::exception& error) {
          fmt::print(stderr, "sinew_soaker {}: {}\n", kind.name, error.what());
          return 1;
        }
  fmt::print(stderr, "usage: sinew_soaker library|pictures|window|frames|clicks COUNT MODEL...\n");
  return 2;
}
