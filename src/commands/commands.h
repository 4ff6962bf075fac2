// The table of commands. Parser, help, man pages and completions are made from it.
#pragma once

#include "commands/command_line.h"

#include <vector>

namespace sinew {

ProgramText programText();

// All commands in the order of --help. The first is the default of a command line without one. Each
// call makes fresh ones, with fields of their own.
std::vector<Command> allCommands();

Command viewCommand();
Command infoCommand();
Command renderCommand();
Command exportCommand();
Command bakeCommand();
Command zonesCommand();
Command correctiveCommand();
Command checkCommand();
Command compareCommand();
Command benchCommand();
Command figureCommand();
Command paletteCommand();
Command referenceCommand();
Command shaderCommand();
Command pageCommand();
Command weightsCommand();
Command transferCommand();
Command mirrorCommand();
Command reposeCommand();
Command reduceCommand();
Command evaluateCommand();
Command ragdollCommand();
Command doctorCommand();
Command completionCommand();
Command manCommand(std::vector<std::string> commandNames); // commands with a page

} // namespace sinew
