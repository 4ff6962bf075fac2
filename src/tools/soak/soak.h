// Loads over and over, and frames with any settings: nothing may grow, nothing may fail. Each
// function goes through the models again and again, says after every round what the process holds,
// and throws where that is more than after the second one, or anything fails.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

struct SoakOptions {
  std::vector<std::string> models; // files, or demo:NAME
  int count = 0;                   // loads at least, in whole rounds; or frames
  std::uint64_t seed = 1;
};

// Loads by the library: import in its process, rig, binding, pose.
void soakLibrary(const SoakOptions& options);

// The same, drawn without a window; afterwards the context has no object left.
void soakPictures(const SoakOptions& options);

// Loads in one window, some frames of each. Needs a display.
void soakWindow(const SoakOptions& options);

// Frames of one window, each with other settings (random_user.h), of one model after another.
void soakFrames(const SoakOptions& options);

// Clicks, drags, keys and letters anywhere in the window (random_user.h), of one model after
// another. It saves beside the models and into the working folder, nowhere else.
void soakClicks(const SoakOptions& options);

} // namespace sinew
