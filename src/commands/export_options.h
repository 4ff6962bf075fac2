// Options of commands that write a rigged model.
#pragma once

#include "commands/command.h"
#include "export/export_formats.h"

namespace sinew {

void addExportChoices(Command& command, ExportChoices& choices);

// ".glb or .fbx", of all formats.
std::string exportExtensions();

} // namespace sinew
