// The palette of a crowd: every character in a pose of its own, packed one behind another, as one
// buffer texture holds it for a single instanced draw call.
//   crowd_palette MODEL METHOD CHARACTERS OUT.rows
// OUT.rows: rows of four 32-bit floats. A shader of `sinew shader METHOD --palette texture` reads
// character i from row i * rowsOfOne on.
#include <sinew/animation.h>
#include <sinew/import.h>
#include <sinew/skinning.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <span>
#include <vector>

int main(int argc, char** argv) try {
  if (argc != 5) {
    std::fprintf(stderr, "usage: crowd_palette MODEL METHOD CHARACTERS OUT.rows\n");
    return 2;
  }
  const std::size_t characters = std::strtoul(argv[3], nullptr, 10);
  const sinew::Model model = sinew::importModel(argv[1]);
  const sinew::Rig rig = sinew::buildRig(model);
  const sinew::Method& method = sinew::findMethod(argv[2]);
  const sinew::Binding binding = method.bind(rig, {});
  if (model.clips.empty()) throw sinew::inputError(argv[1], "has no clip");
  const sinew::Clip& clip = model.clips[0];

  const std::size_t rowsOfOne = std::size_t{binding.entryCount} * binding.rowsPerEntry;
  std::vector<sinew::vec4> rows(characters * rowsOfOne);
  bool nonUniformScale =
      false; // if any character has it, all take the more expensive form of the shader
  // What is reused from frame to frame, so that a frame allocates nothing.
  std::vector<sinew::SampleCursor> cursors(characters);
  sinew::Pose pose;
  std::vector<sinew::mat4> modelFromNode;
  for (std::size_t i = 0; i < characters; ++i) {
    // Character i is i tenths of a second ahead.
    const float seconds = 0.1f * static_cast<float>(i);
    sinew::sample(model.hierarchy, clip, seconds, sinew::Wrap::loop, cursors[i], pose);
    sinew::modelFromNodes(model.hierarchy, pose, modelFromNode);
    const std::span<sinew::vec4> one(rows.data() + i * rowsOfOne, rowsOfOne);
    nonUniformScale |= method.pack(rig, binding, modelFromNode, one);
  }

  std::ofstream out(argv[4], std::ios::binary);
  out.write(reinterpret_cast<const char*>(rows.data()),
            static_cast<std::streamsize>(rows.size() * sizeof(sinew::vec4)));
  std::printf("%zu characters, %zu rows each%s\n", characters, rowsOfOne,
              nonUniformScale ? ", with non-uniform scale" : "");
  return out.flush() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "crowd_palette: %s\n", error.what());
  return 1;
}
