#include "commands/commands.h"

namespace sinew {

ProgramText programText() {
  return {.name = "sinew",
          .summary = "Real-time character skinning: look at a rigged model under every method.",
          .version = "sinew " SINEW_VERSION,
          .notes = "'sinew [MODEL]' is short for 'sinew view [MODEL]'.\n"
                   "Exit codes: 0 done, 1 a check failed, 2 usage, 3 the input file is at fault,\n"
                   "4 a limit was hit while reading it, 5 no usable graphics."};
}

std::vector<Command> allCommands() {
  std::vector<Command> commands{
      viewCommand(),    infoCommand(),       renderCommand(),  exportCommand(),
      zonesCommand(),   correctiveCommand(), checkCommand(),   compareCommand(),
      benchCommand(),   figureCommand(),     shaderCommand(),  referenceCommand(),
      paletteCommand(), pageCommand(),       weightsCommand(), transferCommand(),
      mirrorCommand(),  reposeCommand(),     reduceCommand(),  evaluateCommand(),
      bakeCommand(),    ragdollCommand(),    doctorCommand(),  completionCommand()};
  std::vector<std::string> names;
  names.reserve(commands.size() + 1);
  for (const Command& command : commands)
    names.push_back(command.name);
  names.emplace_back("man"); // its own page
  commands.push_back(manCommand(std::move(names)));
  for (Command& command : commands) // scripts may say it to any; these have no messages but errors
    if (!command.has("--quiet"))
      command.add("--quiet,-q", std::function<void()>([] {}), "no messages but errors");
  return commands;
}

} // namespace sinew
