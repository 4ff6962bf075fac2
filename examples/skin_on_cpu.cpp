// Skins a model on the CPU, by any method, and writes the posed mesh as a Wavefront OBJ.
//   skin_on_cpu MODEL METHOD SECONDS OUT.obj
#include <sinew/animation.h>
#include <sinew/import.h>
#include <sinew/skinning.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>

int main(int argc, char** argv) try {
  if (argc != 5) {
    std::fprintf(stderr, "usage: skin_on_cpu MODEL METHOD SECONDS OUT.obj\nmethods:\n");
    for (const sinew::Method& method : sinew::methods())
      std::fprintf(stderr, "  %-15s %s\n", method.name.data(), method.title.data());
    return 2;
  }
  const float seconds = std::strtof(argv[3], nullptr);

  // Once for each model: all meshes as one vertex list over one joint list.
  const sinew::Model model = sinew::importModel(argv[1]);
  const sinew::Rig rig = sinew::buildRig(model);

  // Once for each method: what a vertex has to know, packed as a vertex buffer would hold it.
  const sinew::Method& method = sinew::findMethod(argv[2]);
  const sinew::Binding binding = method.bind(rig, {});

  // For each frame: a pose, the palette (what a joint has to know), and the vertices.
  sinew::Pose pose = sinew::restPose(model.hierarchy);
  if (!model.clips.empty()) pose = sinew::sample(model.hierarchy, model.clips[0], seconds);
  sinew::Palette palette;
  sinew::packPalette(method, rig, binding, sinew::modelFromNodes(model.hierarchy, pose), palette);
  sinew::SkinnedMesh posed;
  method.skin(rig, binding, palette, posed);

  std::ofstream out(argv[4]);
  out.precision(9);
  for (const sinew::vec3& p : posed.positions)
    out << "v " << p.x << ' ' << p.y << ' ' << p.z << '\n';
  for (const sinew::Triangle& t : rig.triangles)
    out << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
  std::printf("%zu vertices by %s\n", posed.positions.size(), method.title.data());
  return out.flush() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "skin_on_cpu: %s\n", error.what());
  return 1;
}
