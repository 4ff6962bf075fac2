#include "commands/command.h"
#include "commands/commands.h"
#include "commands/completion.h"
#include "commands/output.h"

#include <memory>

namespace sinew {

Command completionCommand() {
  auto shell = std::make_shared<std::string>();
  Command command{"completion", "A completion script for bash, zsh or fish"};
  command.add("SHELL", shell.get(), "the shell").allow({"bash", "zsh", "fish"}).required();
  command.examples = {"source <(sinew completion bash)",
                      "sinew completion fish > ~/.config/fish/completions/sinew.fish"};
  command.run = [shell](const Command&) {
    const Shell which = *shell == "bash" ? Shell::bash : *shell == "zsh" ? Shell::zsh : Shell::fish;
    print(completionScript(which, programText(), allCommands()));
    return ExitCode::done;
  };
  return command;
}

} // namespace sinew
