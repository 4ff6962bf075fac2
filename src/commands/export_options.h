// Options of commands that write a rigged model.
#pragma once

#include "bake/bake_run.h"
#include "commands/command.h"
#include "export/export_formats.h"

#include <nlohmann/json_fwd.hpp>

namespace sinew {

void addExportChoices(Command& command, ExportChoices& choices);

// Throws usageError for a name that ends like no format.
void checkExportName(const std::string& path);

// Writes a .glb; says on stderr what it leaves out and what readers of it are known to ignore.
void writeChanged(std::string_view command, const std::string& path, const Model& model,
                  bool quiet);

// A baked model in the format of its name, and its drivers in the unit of that format.
void writeBaked(const BakeRun& run, const std::string& path, const ExportChoices& choices);
void writeBakedDrivers(const BakeRun& run, const std::string& path, const std::string& driversPath);

// How far a baked or reduced model is off, and where; keys are a contract (docs/cli.md).
nlohmann::ordered_json toJson(const Model& model, const BakeError& error);

// ".glb or .fbx", of all formats.
std::string exportExtensions();

} // namespace sinew
