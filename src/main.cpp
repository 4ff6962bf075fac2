// The program: reads the command line, runs the command, and is the only place that catches errors.
#include "commands/command_line.h"
#include "commands/commands.h"
#include "commands/exit_code.h"
#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

namespace {

using namespace sinew;

ExitCode runCommandLine(std::vector<std::string> words) {
  std::vector<Command> commands = allCommands();
  const auto named = [&](const std::string& word) {
    return word == "--help" || word == "-h" || word == "--version" ||
           std::any_of(commands.begin(), commands.end(),
                       [&](const Command& command) { return command.name == word; });
  };
  if (words.empty() || !named(words[0])) words.insert(words.begin(), commands.front().name);
  const Command* command = parseCommandLine(commands, programText(), std::move(words));
  return command == nullptr ? ExitCode::done : command->run(*command);
}

} // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(runCommandLine({argv + 1, argv + argc}));
  } catch (const Error& error) {
    fmt::print(stderr, "sinew: {}\n", error.what());
    return static_cast<int>(exitCodeOf(error.cause()));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "sinew: out of memory\n");
    return static_cast<int>(ExitCode::limit);
  } catch (const std::exception& error) {
    fmt::print(stderr, "sinew: {}\n", error.what());
    return static_cast<int>(ExitCode::usage);
  }
}
