// Options made by visiting the settings.
#pragma once

#include "app/settings.h"
#include "commands/command.h"
#include "picture/view_cells.h"

#include <string>
#include <vector>

namespace sinew {

struct CrowdDrawing;

// One option per setting; only those of the groups named (all when empty).
void addSettings(Command& command, Settings& settings, std::vector<std::string> groups = {});

// "skeleton,weights:Hips,wireframe,no-grid": the "Show" group's words, for --show.
void addShow(Command& command, Settings& settings);

// "yaw,pitch,distance", for --camera.
void addCamera(Command& command, Settings& settings);

// What --size accepts.
struct SizeRange {
  Size min{1, 1};
  Size max{16384, 16384};
};

// "640x480".
void addSize(Command& command, Size& size, const SizeRange& range, const std::string& help);
void addSize(Command& command, Size& size); // the size of a picture

// How a crowd is drawn, for `bench` and the window's stress scene.
void addCrowdDrawing(Command& command, CrowdDrawing& drawing);

} // namespace sinew
