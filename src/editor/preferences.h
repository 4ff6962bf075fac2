// What the viewer remembers from one run to the next, in $XDG_CONFIG_HOME/sinew (else
// ~/.config/sinew): settings.json, the user's options, and window.json, recent files and the
// window's place.
//
// Nothing here may keep the program from starting: a file that cannot be read or understood gives
// one warning and the defaults, and is kept aside as *.bad when it is to be overwritten.
#pragma once

#include "app/settings.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

struct WindowPlace {
  int x = -1; // negative: wherever the window manager likes
  int y = -1;
  int width = 1280;
  int height = 800;
  bool maximized = false;
  bool operator==(const WindowPlace&) const = default;
};

inline constexpr float kMinPanelScale = 0.75f;
inline constexpr float kMaxPanelScale = 2.5f;

struct Preferences {
  Settings settings;
  std::vector<std::string> recent;
  WindowPlace window;
  bool lightTheme = false;
  float panelScale = 1.0f;           // scale of text and panels, times the desktop's
  bool hint = true;                  // the first screen's, not dismissed yet
  std::vector<std::string> warnings; // at most one for each file
};

// The files opened last, newest first.
inline constexpr std::size_t kRecentFiles = 12;

// Moves the file to the front: absolute, without duplicates, at most kRecentFiles. Names without a
// file behind them ("demo:humanoid") stay as they are.
void addRecent(std::vector<std::string>& recent, const std::string& file);

std::filesystem::path configFolder();

Preferences readPreferences(const std::filesystem::path& folder);

// Atomically, file by file; creates the folder. Throws usageError if that fails.
void writePreferences(const std::filesystem::path& folder, const Preferences& memory);

// The settings to remember: those of before, with what has changed between start and now. So an
// option given on the command line for one run does not stay. What belongs to one model (clip,
// time, range, speed, joint, camera, further views) is never remembered.
Settings settingsToRemember(const Settings& before, const Settings& start, const Settings& now);

} // namespace sinew
