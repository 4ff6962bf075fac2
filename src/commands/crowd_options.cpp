#include "commands/crowd_options.h"

namespace sinew {

void addCrowdDrawing(Command& command, CrowdDrawing& drawing) {
  const auto names = paletteFormatNames();
  const std::string group = "Crowd";
  command
      .add(
          "--palette-format",
          [&drawing](const std::string& word) { drawing.format = findPaletteFormat(word); },
          "how a crowd's palettes are stored: f32; f16 for rigid and lbs; dq32 and dq16 for dqs, "
          "without its stretch")
      .suggest({names.begin(), names.end()})
      .in(group);
  command
      .add(
          "--bake-palette", [&drawing]() { drawing.baking = CrowdBaking::palette; },
          "the palettes of the clips in a texture, uploaded once; each character's time is chosen "
          "in the vertex shader")
      .in(group);
  command
      .add(
          "--bake-vertices", [&drawing]() { drawing.baking = CrowdBaking::vertices; },
          "the posed vertices of the clips in a texture (vertex animation texture)")
      .in(group)
      .without({"--bake-palette"});
  command
      .add("--lod", &drawing.lodPixels,
           "coarser meshes for characters far away, whose surface is off by at most this many "
           "pixels")
      .range(0, 100)
      .value("PIXELS")
      .in(group);
  command.add("--cull", &drawing.culls, "draw no characters whose posed box is out of the picture")
      .in(group);
  command
      .add("--passes", &drawing.passes,
           "draw the crowd so many times a frame: depth alone, and last the colours")
      .range(1, 16)
      .in(group);
}

} // namespace sinew
