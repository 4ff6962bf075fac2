// The table of commands. Parser, help, man pages and completions are made from it.
#pragma once

#include "commands/command_line.h"

#include <vector>

namespace sinew {

ProgramText programText();

// In the order of --help; the first is the one that a command line without a command means. Each
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
Command manCommand(std::vector<std::string> commandNames); // those it has pages of

} // namespace sinew
