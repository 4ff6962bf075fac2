// Completion scripts for shells, made from the table of commands.
#pragma once

#include "commands/command_line.h"

#include <span>
#include <string>

namespace sinew {

enum class Shell { bash, zsh, fish };

// A script that completes commands, their options, and the values that are chosen from a list or
// are files. Lists after the last comma too ("--method lbs,dq"). A line without a command is
// completed as commands.front(), which it means.
std::string completionScript(Shell shell, const ProgramText& program,
                             std::span<const Command> commands);

} // namespace sinew
