// One HTML file that shows a character moving by several methods, in any browser with WebGL 2 and
// without a network: vertices, palettes of every pose, shaders, textures, and the script that draws
// them (assets/page/).
#pragma once

#include "page/page_clip.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sinew {

struct PageOptions {
  bool exact = false;                // floats as they are, textures as PNG
  std::uint32_t textureLimit = 1024; // pixels each way; larger ones are halved
  bool rawTextures = false;     // pixels as they are: large, but nothing is encoded and decoded
  std::string numbersHtml = {}; // shown below the picture
  bool posing = true;           // its reader can rotate joints
  bool program = true; // the data have the program that poses, which a page may have already
  bool shapes = false; // its reader can set every morph target, not only the clips' targets
  // Whether differences between methods and what rounding does are worked out for every pose: else
  // floats are as they are, and the browser measures the pose that it shows.
  bool measured = true;
  // The page is a workbench, which takes other models: the bytes of its module, or none where that
  // lies beside the page as sinew.wasm.
  std::optional<std::string> workbench = {};
  bool embedded = false; // within a page of light colours: the picture and its controls
};

struct PageSummary {
  std::size_t poses = 0;
  double errorPercent =
      0.0;                  // largest distance that rounding puts a vertex off, of the model's size
  std::size_t measured = 0; // poses in which that was measured
  bool rounded = true;      // false: floats are exact, since rounding would have been seen
  std::size_t stillMorphs = 0;  // morph targets that the clips move, but not the page
  std::string stillReason = {}; // why: "they ..."; empty without any
  std::string fixedReason = {}; // why its reader cannot rotate joints; empty where that is possible
};

// The whole file. The methods are those bound, the first of them the reference of differences;
// light, background, camera, colours and what is shown at first are those of the settings. Throws
// inputError for a model without triangles.
std::string pageHtml(const Workbench& workbench, const Settings& settings,
                     std::span<const PageClip> clips, const PageOptions& options,
                     PageSummary& summary);

// What such a file has of the character, as assets/page/data.js reads it: the length of a JSON text
// in four bytes, the text, and arrays. Not deflated.
std::string pageData(const Workbench& workbench, const Settings& settings,
                     std::span<const PageClip> clips, const PageOptions& options,
                     PageSummary& summary);

} // namespace sinew
