// The commands, one function each: adds the subcommand with its options and help.
#pragma once

#include "app/cli.h"

namespace sinew {

void addInfoCommand(CommandLine& line);
void addRenderCommand(CommandLine& line);
void addExportCommand(CommandLine& line);
void addCompareCommand(CommandLine& line);
void addBenchCommand(CommandLine& line);
void addZonesCommand(CommandLine& line);
void addWeightsCommand(CommandLine& line);
void addShaderCommand(CommandLine& line);
void addDoctorCommand(CommandLine& line);
void addRagdollCommand(CommandLine& line);

} // namespace sinew
