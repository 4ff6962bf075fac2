#include "commands/command.h"
#include "commands/commands.h"
#include "commands/manual.h"
#include "commands/output.h"

#include <algorithm>
#include <memory>

namespace sinew {

Command manCommand(std::vector<std::string> commandNames) {
  auto name = std::make_shared<std::string>();
  Command command{"man", "The manual page of the program or a command, for man -l"};
  command.add("COMMAND", name.get(), "a command's name; none: the program's own page")
      .allow(std::move(commandNames));
  command.examples = {"sinew man render | man -l -"};
  command.run = [name](const Command&) {
    const std::vector<Command> commands = allCommands();
    if (name->empty()) {
      print(programPage(programText(), commands));
      return ExitCode::done;
    }
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& each) { return each.name == *name; });
    print(commandPage(programText(), *found));
    return ExitCode::done;
  };
  return command;
}

} // namespace sinew
