// The GPU's skin() against the CPU reference on real files, where they are at hand: every model,
// several times of every clip.
#include "animation/sample.h"
#include "core/test_effort.h"
#include "core/test_files.h"
#include "gl/context.h"
#include "import/import_model.h"
#include "render/capture_skinned.h"
#include "render/parity_test.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>

using namespace sinew;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> modelFiles(const fs::path& folder) {
  static const std::set<std::string> kKinds{".x",   ".X",   ".fbx", ".glb",    ".dae",
                                            ".b3d", ".obj", ".bvh", ".md5mesh"};
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && kKinds.contains(entry.path().extension().string()))
      out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

// The rest pose, and two moments of every clip; unless thorough one moment of the first clip.
std::vector<Pose> samplePoses(const Model& model) {
  std::vector<Pose> out{restPose(model.hierarchy)};
  for (const Clip& clip : model.clips)
    for (const float share : {0.29f, 0.71f}) {
      out.push_back(sample(model.hierarchy, clip, share * clip.seconds));
      if (!test::kThorough) return out;
    }
  return out;
}

struct Worst {
  float position = 0.0f;
  float normal = 0.0f;
  std::size_t poses = 0;
};

void checkModel(Programs& programs, const Model& model, Worst& worst) {
  const Rig rig = buildRig(model);
  if (rig.positions.empty()) return;
  const auto materials = std::make_shared<const GpuMaterials>(
      GpuMaterials{std::vector<Material>(std::max<std::size_t>(1, model.materials.size())), {}});
  const std::vector<Pose> poses = samplePoses(model);
  for (const Method& method : methods()) {
    const Binding binding = method.bind(rig, {.influences = 8, .parameters = {}});
    for (const PaletteStorage storage :
         {PaletteStorage::texture, PaletteStorage::block, PaletteStorage::uniformArray}) {
      if (!test::kThorough && storage != PaletteStorage::texture) continue;
      CAPTURE(method.name);
      CAPTURE(toString(storage));
      GpuMesh mesh(materials, rig, method, binding, {.storage = storage});
      // The storages differ in where rows are read from, not in poses: all poses once.
      const std::size_t count = storage == PaletteStorage::texture ? poses.size() : 1;
      for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(i);
        Palette palette;
        packPalette(method, rig, binding,
                    modelFromNodes(model.hierarchy, poses[poses.size() - 1 - i]), palette);
        mesh.setPalette(palette);
        SkinnedMesh cpu;
        method.skin(rig, binding, palette, cpu);
        const test::ParityError error =
            test::parityError(rig, cpu, captureSkinned(programs, mesh),
                              test::unstableVertices(method, rig, binding, palette));
        CHECK(error.position <= 1e-5f);
        CHECK(error.normal <= 1e-5f);
        worst.position = std::max(worst.position, error.position);
        worst.normal = std::max(worst.normal, error.normal);
        ++worst.poses;
      }
    }
  }
  checkGlErrors(model.path);
}

} // namespace

TEST_CASE("the GPU skins every model at hand as the reference does, at several times of each clip" *
          doctest::skip(test::kSanitized)) {
  const fs::path folder = test::sharedModels();
  if (!fs::is_directory(folder)) {
    MESSAGE("no models in " << folder.string() << ": nothing to compare");
    return;
  }
  const HeadlessContext context;
  Programs programs;
  Worst worst;
  for (const fs::path& path : modelFiles(folder)) {
    CAPTURE(path.string());
    ImportOptions options;
    options.decodeTextures = false;
    checkModel(programs, importModel(path, options), worst);
  }
  SINEW_FIGURE(worst.poses << " poses; largest error: position " << worst.position << ", normal "
                           << worst.normal);
  CHECK(worst.poses > 200);
}
