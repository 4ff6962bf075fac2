// Reads a command line by a table of commands. The only user of CLI11, behind command_line.cpp.
#pragma once

#include "commands/command.h"

#include <span>
#include <string>
#include <vector>

namespace sinew {

// The text of --help about the program itself.
struct ProgramText {
  std::string name;
  std::string summary;
  std::string version; // printed by --version
  std::string notes;
};

// The command that the words (those after the program's name) begin with, its fields filled and
// beforeParsing called; nullptr where --help or --version was asked for and printed. Throws
// usageError where the words name no command or do not suit it.
const Command* parseCommandLine(std::span<Command> commands, const ProgramText& program,
                                std::vector<std::string> words);

} // namespace sinew
