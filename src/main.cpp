// The table of commands, and the only place that catches errors.
#include "app/commands.h"
#include "core/error.h"
#include "figures/command_demo.h"
#include "viewer/command_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>

namespace {

using namespace sinew;

constexpr std::array kCommands = {
    addViewCommand,   addInfoCommand,    addRenderCommand,  addExportCommand,
    addZonesCommand,  addCompareCommand, addBenchCommand,   addDemoCommand,
    addShaderCommand, addWeightsCommand, addRagdollCommand, addDoctorCommand,
};

bool isCommand(const CLI::App& app, const std::string& word) {
  if (word == "--help" || word == "-h" || word == "--version") return true;
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return command->get_name() == word; });
}

ExitCode runCommandLine(int argc, char** argv) {
  CommandLine line;
  line.app.name("sinew");
  line.app.set_version_flag("--version", "sinew " SINEW_VERSION);
  line.app.footer("'sinew [MODEL]' is short for 'sinew view [MODEL]'.\n"
                  "Exit codes: 0 done, 1 a check failed, 2 usage, 3 the input file is at fault,\n"
                  "4 a limit was hit while reading it, 5 no usable graphics.");
  line.app.require_subcommand(1);
  for (const auto add : kCommands)
    add(line);

  std::vector<std::string> words(argv + 1, argv + argc);
  const bool named = !words.empty() && isCommand(line.app, words[0]);
  if (!named) words.insert(words.begin(), "view");
  // CLI11 takes the arguments from the back.
  std::reverse(words.begin(), words.end());
  try {
    line.app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) { // --help and --version
      line.app.exit(error);
      return ExitCode::done;
    }
    throw usageError(error.what(), "see sinew --help");
  }
  return line.run();
}

} // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(runCommandLine(argc, argv));
  } catch (const Error& error) {
    fmt::print(stderr, "sinew: {}\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "sinew: out of memory\n");
    return static_cast<int>(ExitCode::limit);
  } catch (const std::exception& error) {
    fmt::print(stderr, "sinew: {}\n", error.what());
    return static_cast<int>(ExitCode::usage);
  }
}
