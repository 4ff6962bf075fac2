// Makes weights for a mesh that has none, from a skeleton, and writes the rigged model.
//   automatic_weights MESH SKELETON OUT.glb    SKELETON: a .tgf, or a model whose joints are taken
#include <sinew/export.h>
#include <sinew/import.h>
#include <sinew/weights.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::fprintf(stderr, "usage: automatic_weights MESH SKELETON OUT.glb\n");
    return 2;
  }
  // All meshes in model space, without what they were bound to.
  const sinew::Model meshes = sinew::meshesAlone(sinew::importModel(argv[1]));
  const std::filesystem::path file = argv[2];
  const sinew::Skeleton skeleton = file.extension() == ".tgf"
                                       ? sinew::readTgf(file)
                                       : sinew::extractSkeleton(sinew::importModel(file));

  // The default algorithm; a progress function, the last argument, may cancel it.
  const sinew::WeightOptions options;
  const sinew::JoinedMeshes all = sinew::joinMeshes(meshes);
  const sinew::AutomaticWeights weights =
      sinew::automaticWeights(all.positions, all.triangles, skeleton.bones, options,
                              skeleton.jointOfBone, [](float done, std::string_view what) {
                                std::fprintf(stderr, "%3.0f%% %.*s\n", 100.0 * done,
                                             static_cast<int>(what.size()), what.data());
                                return true;
                              });

  const sinew::Model rigged = sinew::bindModel(meshes, skeleton, weights.influences);
  std::ofstream out(argv[3], std::ios::binary);
  out << sinew::toGlb(rigged);
  std::printf("%zu vertices, %zu joints, %.2f s\n", all.positions.size(), skeleton.joints.size(),
              weights.report.seconds);
  return out.flush() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "automatic_weights: %s\n", error.what());
  return 1;
}
