// The program: reads the command line, runs the command, and is the only place that catches errors.
#include "commands/command_line.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "core/error.h"
#include "core/text.h"
#include "process/unfinished.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

namespace {

using namespace sinew;

// Throws for a word that names no file and looks like none: it was meant as a command.
void checkIsModel(const std::string& word, const std::vector<Command>& commands) {
  std::error_code error;
  if (word.find_first_of("./:\\-") != std::string::npos || std::filesystem::exists(word, error))
    return;
  std::vector<std::string> names(commands.size());
  std::transform(commands.begin(), commands.end(), names.begin(),
                 [](const Command& command) { return command.name; });
  throw unknownName("command or file", word, names);
}

ExitCode runCommandLine(std::vector<std::string> words) {
  std::vector<Command> commands = allCommands();
  const auto named = [&](const std::string& word) {
    return word == "--help" || word == "-h" || word == "--version" ||
           std::any_of(commands.begin(), commands.end(),
                       [&](const Command& command) { return command.name == word; });
  };
  if (!words.empty() && words[0] == "version") words[0] = "--version";
  if (words == std::vector<std::string>{"--version", "--json"}) {
    const std::string version = programText().version; // "sinew 0.1.0"
    print(toString(nlohmann::ordered_json{{"version", version.substr(version.find(' ') + 1)}}));
    return ExitCode::done;
  }
  if (!words.empty() && words[0] == "help") { // help [COMMAND]
    words.erase(words.begin());
    words.resize(std::min<std::size_t>(words.size(), 1));
    words.emplace_back("--help");
  }
  if (words.empty() || !named(words[0])) {
    if (!words.empty()) checkIsModel(words[0], commands);
    words.insert(words.begin(), commands.front().name);
  }
  const Command* command = parseCommandLine(commands, programText(), std::move(words));
  return command == nullptr ? ExitCode::done : command->run(*command);
}

} // namespace

int main(int argc, char** argv) {
  removeUnfinishedAtSignals();
  std::signal(SIGXFSZ, SIG_IGN); // a write beyond `ulimit -f` is an error where it happens
  try {
    return static_cast<int>(runCommandLine({argv + 1, argv + argc}));
  } catch (const Error& error) {
    fmt::print(stderr, "sinew: {}\n", printable(error.what()));
    return static_cast<int>(toExitCode(error.cause()));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "sinew: out of memory\n");
    return static_cast<int>(ExitCode::limit);
  } catch (const std::exception& error) {
    fmt::print(stderr, "sinew: {}\n", printable(error.what()));
    return static_cast<int>(ExitCode::usage);
  }
}
