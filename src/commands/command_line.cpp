#include "commands/command_line.h"

#include "core/error.h"
#include "core/text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <memory>
#include <type_traits>

namespace sinew {
namespace {

template <class T>
struct OptionValue {
  using type = T;
};
template <class T>
struct OptionValue<std::optional<T>> {
  using type = T;
};
template <class T>
struct OptionValue<std::vector<T>> {
  using type = T;
};

// Names as CLI11 reads them: "-o,--output", and a negation as "!--no-grid".
std::string joinNames(const Option& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += (text.empty() ? "" : ",") + name;
  for (const std::string& name : option.negations)
    text += (text.empty() ? "!" : ",!") + name;
  return text;
}

// Beyond this no number of an option has a meaning, and squares of it are still finite.
constexpr double kLargestNumber = 1e9;

// CLI11 reads "nan" and "inf" as numbers, and a range lets "nan" pass.
std::string notUsable(const std::string& text) {
  const double value = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(value)) return "Value " + text + " is not a finite number";
  return std::abs(value) <= kLargestNumber ? "" : "Value " + text + " is too large";
}

// It also reads the largest number there is for a larger one.
template <class T>
std::string tooLarge(const std::string& text) {
  const double value = std::strtod(text.c_str(), nullptr);
  const bool fits = value <= static_cast<double>(std::numeric_limits<T>::max());
  return fits ? "" : "Value " + text + " is too large";
}

template <class T>
void limit(CLI::Option& added, const Option& option) {
  if constexpr (std::is_floating_point_v<T>) added.check(notUsable, "");
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) added.check(tooLarge<T>, "");
  if constexpr (std::is_arithmetic_v<T>)
    if (option.allowed)
      added.check(
          CLI::Range(static_cast<T>(option.allowed->min), static_cast<T>(option.allowed->max)));
}

CLI::Option* addTo(CLI::App& app, const Option& option) {
  const std::string names = joinNames(option);
  return std::visit(
      [&]<class Target>(const Target& target) -> CLI::Option* {
        if constexpr (std::is_same_v<Target, bool*>) {
          return app.add_flag(names, *target, option.help);
        } else if constexpr (std::is_same_v<Target, std::function<void()>>) {
          return app.add_flag_callback(names, target, option.help);
        } else if constexpr (std::is_same_v<Target, std::function<void(int)>>) {
          CLI::Option* added = app.add_option_function<int>(names, target, option.help);
          limit<int>(*added, option);
          return added;
        } else if constexpr (std::is_same_v<Target, std::function<void(const std::string&)>>) {
          return app.add_option_function<std::string>(names, target, option.help);
        } else {
          CLI::Option* added = app.add_option(names, *target, option.help);
          limit<typename OptionValue<std::remove_pointer_t<Target>>::type>(*added, option);
          return added;
        }
      },
      option.target);
}

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : separator) + word;
  return text;
}

CLI::Option* addOption(CLI::App& app, const Option& option) {
  CLI::Option* added = addTo(app, option);
  if (option.onlyChoices)
    added->check(CLI::IsMember(option.choices));
  else if (!option.choices.empty())
    added->type_name(joined(option.choices, "|"));
  if (!option.valueName.empty()) added->type_name(option.valueName);
  if (!option.group.empty()) added->group(option.group);
  if (option.valueCount == 1) // an option that may be repeated
    added->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
  else if (option.valueCount > 1)
    added->expected(static_cast<int>(option.valueCount));
  if (option.commas) added->delimiter(',');
  if (option.isRequired) added->required();
  if (option.hasDefault && option.heldText.empty()) added->capture_default_str();
  if (option.hasDefault && !option.heldText.empty()) added->default_str(option.heldText);
  for (const std::string& name : option.excludes)
    added->excludes(app.get_option(name));
  return added;
}

std::string writeFooter(const Command& command) {
  std::string text = command.notes;
  if (command.examples.empty()) return text;
  text += text.empty() ? "Examples:" : "\nExamples:";
  for (const std::string& example : command.examples)
    text += "\n  " + example;
  return text;
}

// CLI11 says of a negation what it sets: "--grid,--no-grid{false}".
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    static constexpr std::string_view kSet = "{false}";
    std::string name = CLI::Formatter::make_option_name(option, positional);
    if (const std::size_t at = name.find(kSet); at != std::string::npos)
      name.erase(at, kSet.size());
    return name;
  }
};

// CLI11's picture of a command, and its options in the order of Command::options.
struct Parser {
  CLI::App* app;
  std::vector<CLI::Option*> options;
};

// CLI11 takes longer to add the options of all commands than a small model takes to be read, so
// only those of a command that the words name are added.
Parser addCommand(CLI::App& app, const Command& command, const std::vector<std::string>& words) {
  Parser parser{app.add_subcommand(command.name, command.summary), {}};
  if (std::ranges::find(words, command.name) == words.end()) return parser;
  if (command.beforeParsing)
    parser.app->preparse_callback([&command](std::size_t) { command.beforeParsing(); });
  for (const Option& option : command.options)
    parser.options.push_back(addOption(*parser.app, option));
  parser.app->footer(writeFooter(command));
  return parser;
}

// Names the first unknown option among the words that no option of the command took, with the
// option that was meant. Without an unknown option it names the first word.
Error unexpectedWord(const Command& command, const std::vector<std::string>& words) {
  const auto found = std::ranges::find_if(
      words, [](const std::string& word) { return word.starts_with("-") && word != "-"; });
  const std::string help = "see sinew " + command.name + " --help";
  if (found == words.end()) return usageError("unexpected argument '" + words.front() + "'", help);
  const std::string name = found->substr(0, found->find('='));
  std::vector<std::string> names;
  for (const Option& option : command.options) {
    std::ranges::copy(option.names, std::back_inserter(names));
    std::ranges::copy(option.negations, std::back_inserter(names));
  }
  std::erase_if(names, [](const std::string& each) { return !each.starts_with("--"); });
  const std::string meant = nearestName(name, names);
  return usageError("unknown option '" + name + "'",
                    meant.empty() ? help : "did you mean " + meant + "? " + help);
}

} // namespace

const Command* parseCommandLine(std::span<Command> commands, const ProgramText& program,
                                std::vector<std::string> words) {
  CLI::App app{program.summary, program.name};
  app.set_version_flag("--version", program.version);
  app.footer(program.notes);
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());
  std::vector<Parser> parsers;
  for (const Command& command : commands)
    parsers.push_back(addCommand(app, command, words));
  std::reverse(words.begin(), words.end()); // CLI11 takes them from the back
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      // This comes before missing options: a required option may be there, misspelt.
      for (std::size_t c = 0; c < commands.size(); ++c)
        if (const std::vector<std::string> left = parsers[c].app->remaining(); !left.empty())
          throw unexpectedWord(commands[c], left);
      throw usageError(error.what(), "see sinew --help");
    }
    app.exit(error); // --help and --version, which it prints
    return nullptr;
  }
  for (std::size_t c = 0; c < commands.size(); ++c) {
    if (!parsers[c].app->parsed()) continue;
    for (std::size_t i = 0; i < commands[c].options.size(); ++i)
      commands[c].options[i].given = parsers[c].options[i]->count() > 0;
    return &commands[c];
  }
  return nullptr; // CLI11 has required one
}

} // namespace sinew
