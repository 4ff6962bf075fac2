// The manual as man(7) text, made from the table of commands.
#pragma once

#include "commands/command_line.h"

#include <span>
#include <string>

namespace sinew {

// sinew(1): the program and the list of its commands.
std::string programPage(const ProgramText& program, std::span<const Command> commands);

// sinew-NAME(1): a command with all its options and examples.
std::string commandPage(const ProgramText& program, const Command& command);

} // namespace sinew
