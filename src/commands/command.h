// A command as data: its options, help and examples. The parser, --help, the man pages and the
// shells' completions read the same table; no library of command lines is seen here.
#pragma once

#include "core/error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sinew {

// The exit codes of the program, documented in docs/cli.md: never renumber them.
enum class ExitCode : int {
  done = 0,
  checkFailed = 1, // a check the user asked for failed (--reference, --max-...)
  usage = 2,       // unknown option, bad value
  input = 3,       // the input file is at fault
  limit = 4,       // a time or memory limit was hit while reading it
  graphics = 5,    // no usable graphics
};

constexpr ExitCode toExitCode(ErrorCause cause) {
  switch (cause) {
  case ErrorCause::usage:
    return ExitCode::usage;
  case ErrorCause::input:
    return ExitCode::input;
  case ErrorCause::limit:
    return ExitCode::limit;
  case ErrorCause::graphics:
    return ExitCode::graphics;
  }
  return ExitCode::usage;
}

// The field that an option fills, or what is called with its value. A bool is a flag: it takes no
// value. A list takes several values, of one option or of the option repeated. Options are applied
// in the order in which they were added, whatever their order on the command line.
using OptionTarget =
    std::variant<bool*, int*, std::uint32_t*, std::uint64_t*, float*, double*, std::string*,
                 std::optional<double>*, std::vector<int>*, std::vector<float>*,
                 std::vector<std::string>*, std::vector<std::pair<std::string, std::string>>*,
                 std::function<void()>, std::function<void(int)>,
                 std::function<void(const std::string&)>>;

// What a value is, as far as a shell can complete it.
enum class ValueKind { text, integer, number, file, folder, model, method, figure };

// Smallest and largest value, both allowed.
struct ValueRange {
  double min;
  double max;
};

struct Option {
  std::vector<std::string> names;     // "-o", "--output"; a word without dashes: by position
  std::vector<std::string> negations; // names that make a flag false: "--no-grid"
  OptionTarget target;
  std::string help;
  std::string group;     // its heading in --help; empty: "Options"
  std::string valueName; // in --help, as "WxH"; empty: from the target's type
  ValueKind kind = ValueKind::text;
  std::vector<std::string> choices;
  bool onlyChoices = false;          // anything else is an error of the parser
  std::optional<ValueRange> allowed; // the range of every number
  std::vector<std::string> excludes; // names of options it cannot be given together with
  std::size_t valueCount = 0;        // how many values a list takes; 0: any number
  bool commas = false;               // values of a list are separated by commas, in one word
  bool isRequired = false;
  bool hasDefault = false; // --help shows what the field holds
  std::string heldText;    // what that is, of a target that is called
  bool given = false;      // on the command line; filled by parseCommandLine()

  bool isFlag() const;
  bool isPositional() const { return !names.empty() && names.front().front() != '-'; }
  bool isCalled(std::string_view name) const;

  // What stands for the value in a synopsis: "WxH", "bash|zsh|fish", "FILE"; empty for a flag.
  std::string valueText() const;

  // All return the option itself, so that they chain behind Command::add().
  Option& range(double min, double max);
  Option& allow(std::vector<std::string> words);   // checked by the parser
  Option& suggest(std::vector<std::string> words); // shown and completed; the command checks
  Option& value(std::string name);
  Option& as(ValueKind valueKind);
  Option& in(std::string groupName);
  Option& without(std::vector<std::string> names);
  Option& count(std::size_t values);
  Option& separatedByCommas();
  Option& required(bool is = true);
  Option& showDefault(bool shown = true);
};

struct Command {
  std::string name;
  std::string summary;              // one line
  std::vector<Option> options = {}; // in the order of --help
  std::string notes = {};           // below the options in --help; lines
  std::vector<std::string> examples = {};
  std::function<void()> beforeParsing = {};
  std::function<ExitCode(const Command&)> run = {};

  // `names`: "-o,--output"; "--grid,!--no-grid" for a flag with its negation; "MODEL" for an
  // argument by position. The reference holds until the next add().
  Option& add(const std::string& names, OptionTarget target, std::string help);

  // Finds an option by any of its names; it has to exist.
  Option& find(std::string_view optionName);
  const Option& find(std::string_view optionName) const;
  bool has(std::string_view optionName) const;
  void remove(std::string_view optionName);
  bool given(std::string_view optionName) const { return find(optionName).given; }

 private:
  std::size_t findIndex(std::string_view optionName) const;
};

} // namespace sinew
