// Every number of every option of every command is finite and has a range.
#include "commands/command_line.h"
#include "commands/commands.h"
#include "core/error.h"

#include <doctest/doctest.h>

#include <type_traits>

using namespace sinew;

namespace {

bool takesReals(const Option& option) {
  return std::visit(
      []<class Target>(const Target&) {
        return std::is_same_v<Target, float*> || std::is_same_v<Target, double*> ||
               std::is_same_v<Target, std::optional<double>*> ||
               std::is_same_v<Target, std::vector<float>*>;
      },
      option.target);
}

bool takesIntegers(const Option& option) {
  return std::visit(
      []<class Target>(const Target&) {
        return std::is_same_v<Target, int*> || std::is_same_v<Target, std::uint32_t*> ||
               std::is_same_v<Target, std::uint64_t*> ||
               std::is_same_v<Target, std::vector<int>*> ||
               std::is_same_v<Target, std::function<void(int)>>;
      },
      option.target);
}

std::string longName(const Option& option) {
  for (const std::string& name : option.names)
    if (name.starts_with("--")) return name;
  return option.names.front();
}

// A word for each place that has to be filled.
std::vector<std::string> wordsFor(const Command& command, const Option& option,
                                  const std::string& value) {
  std::vector<std::string> words{command.name};
  for (const Option& other : command.options) {
    if (!other.isRequired || &other == &option) continue;
    if (!other.isPositional()) words.push_back(longName(other));
    words.push_back(other.choices.empty() ? "demo:arm" : other.choices.front());
  }
  std::string all = value;
  for (std::size_t i = 1; option.commas && i < option.valueCount; ++i)
    all += ",0";
  words.push_back(longName(option) + "=" + all); // so that "-inf" is no option
  return words;
}

bool isRefused(std::vector<Command> commands, const std::vector<std::string>& words) {
  try {
    parseCommandLine(commands, programText(), words);
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::usage);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return true;
  }
  return false;
}

} // namespace

TEST_CASE("options: no number is NaN, infinite or out of all range") {
  std::size_t reals = 0;
  std::size_t integers = 0;
  for (const Command& command : allCommands())
    for (const Option& option : command.options) {
      if (option.isPositional()) continue;
      CAPTURE(command.name);
      CAPTURE(longName(option));
      if (takesReals(option)) {
        ++reals;
        for (const char* value : {"nan", "-nan", "inf", "-inf", "1e400", "-1e400", "1e30", "-1e30",
                                  "1e9999999999", "0x1p2000", "", "1e"}) {
          CAPTURE(std::string(value));
          CHECK(isRefused({command}, wordsFor(command, option, value)));
        }
      }
      if (takesIntegers(option)) {
        ++integers;
        for (const char* value : {"nan", "inf", "1e30", "99999999999999999999999", "-1e400", ""}) {
          CAPTURE(std::string(value));
          CHECK(isRefused({command}, wordsFor(command, option, value)));
        }
      }
    }
  CHECK(reals > 40);
  CHECK(integers > 20);
}

TEST_CASE("options: numbers within words are finite too") {
  for (const char* value : {"nan", "inf", "-inf", "1e400", "1e30"})
    for (const char* words : {"--camera=0,0,", "--background=0,0,"}) {
      CAPTURE(words);
      CHECK(isRefused(allCommands(),
                      {"render", "demo:arm", "-o", "a.png", words + std::string(value)}));
    }
}
