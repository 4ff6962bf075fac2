#include "tools/fuzz/fuzz_readers.h"

#include "animation/drivers/driver_set.h"
#include "animation/layers/layer_stack.h"
#include "animation/random_model.h"
#include "animation/retarget/motion_map.h"
#include "app/settings.h"
#include "core/error.h"
#include "core/test_files.h"
#include "export/glb.h"
#include "import/import_model.h"
#include "model/check_model.h"
#include "model/model_bytes.h"
#include "physics/ragdoll_config.h"
#include "rig/zone_table.h"
#include "weights/reference_weights.h"
#include "weights/skeleton_tgf.h"
#include "weights/spline_set_file.h"
#include "weights/weights_file.h"

#include <array>
#include <stdexcept>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Not an Error, so that it counts as a finding.
void expect(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

const fs::path& scratch() {
  static const test::TempFolder folder;
  return folder.path;
}

fs::path writeScratchFile(std::string_view bytes, const char* name) {
  fs::path path = scratch() / name;
  writeFile(path, bytes);
  return path;
}

void readModelBytes(std::string_view bytes) {
  try {
    const Model model = modelOfBytes(std::as_bytes(std::span(bytes)));
    expect(toBytes(model).size() == bytes.size(), "model bytes come back longer or shorter");
  } catch (const BadModelBytes&) {
  }
}

// A model that an importer makes is one that the parent accepts.
void readModel(std::string_view bytes, const char* name) {
  ImportOptions options;
  options.decodeTextures = false;
  options.maxVertices = 200'000;
  try {
    const Model model = importModel(writeScratchFile(bytes, name), options);
    const std::string problem = modelProblem(model);
    expect(problem.empty(), problem);
  } catch (const Error& error) {
    const std::string message = error.what();
    expect(message.find('\n') == std::string::npos, "a message of several lines: " + message);
  }
}

void readGltfBytes(std::string_view bytes) {
  readModel(bytes, bytes.starts_with("glTF") ? "f.glb" : "f.gltf");
}
void readFbxBytes(std::string_view bytes) {
  readModel(bytes, "f.fbx");
}
void readXBytes(std::string_view bytes) {
  readModel(bytes, "f.x");
}
void readIqmBytes(std::string_view bytes) {
  readModel(bytes, "f.iqm");
}
void readColladaBytes(std::string_view bytes) {
  readModel(bytes, "f.dae");
}

const Model& smallModel() {
  static const Model model = randomModel(1, {.joints = 5, .vertices = 12});
  return model;
}

using TextReader = void (*)(std::string_view);

constexpr const char* kName = "f.json";

constexpr std::array<TextReader, 12> kTextReaders = {
    [](std::string_view text) { // and what was read can be written and read again
      const Model& model = smallModel();
      poseFromJson(model, poseToJson(model, poseFromJson(model, text, kName)), kName);
    },
    [](std::string_view text) { zonesFromJson(smallModel(), text, kName); },
    [](std::string_view text) { layerStackFromJson(smallModel(), text, kName); },
    [](std::string_view text) {
      Model model = smallModel();
      weightsFromJson(model, text, kName);
      expect(modelProblem(model).empty(), modelProblem(model));
    },
    [](std::string_view text) { ragdollFromJson(smallModel(), text, kName); },
    [](std::string_view text) {
      Model model = smallModel();
      driverSetFromJson(model, text, kName);
      expect(modelProblem(model).empty(), modelProblem(model));
    },
    [](std::string_view text) { settingsFromJson(text, kName); },
    [](std::string_view text) { splinesFromJson(smallModel(), text, kName); },
    [](std::string_view text) { readMotionMap(writeScratchFile(text, kName).string()); },
    [](std::string_view text) {
      const Skeleton skeleton = readTgf(writeScratchFile(text, "s.tgf"));
      expect(!skeleton.bones.empty() || !skeleton.hierarchy.nodes.empty(), "an empty skeleton");
    },
    [](std::string_view text) { readReferenceWeights(writeScratchFile(text, "w.dmat")); },
    [](std::string_view text) { readReferenceWeights(writeScratchFile(text, "w.txt")); },
};

// The first byte chooses the reader: 'a' the first one.
void readText(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto index = static_cast<unsigned char>(bytes.front() - 'a');
  if (index >= kTextReaders.size()) return;
  try {
    kTextReaders[index](bytes.substr(1));
  } catch (const Error& error) {
    const std::string message = error.what();
    expect(message.find('\n') == std::string::npos, "a message of several lines: " + message);
  }
}

// The names of a skeleton beside a good one.
void readNames(std::string_view bytes) {
  const fs::path tgf = writeScratchFile("0 0 0 0\n1 0 1 0\n2 0 2 0\n#\n0 1\n1 2\n", "n.tgf");
  writeScratchFile(bytes, "n.names.txt");
  try {
    readTgf(tgf);
  } catch (const Error&) {
  }
}

// ---- Good bytes

Model makeModel(std::uint64_t number) {
  Random random(number);
  Model model = randomModel(number, {.joints = 2 + random.below(4), .vertices = 6});
  if (random.below(2) == 0) addRandomMorphs(model, 1 + random.below(2), number);
  Clip clip{"clip", 1.0f, {}};
  clip.channels.push_back(
      {1, {{0, 1}, {vec3(0), vec3(1)}}, {{0.5f}, {randomRotation(random)}}, {}});
  model.clips.push_back(std::move(clip));
  return model;
}

std::string goodModelBytes(std::uint64_t number) {
  const std::vector<std::byte> bytes = toBytes(makeModel(number));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string goodGlb(std::uint64_t number) {
  return toGlb(makeModel(number));
}

std::string goodText(std::uint64_t number) {
  const Model& model = smallModel();
  const std::string& joint = model.hierarchy.nodes[1].name;
  switch (number % 5) {
  case 0:
    return "a" + poseToJson(model, randomPose(model, number));
  case 1:
    return "b" + zonesToJson({{joint, {-0.1f, 0.2f, ParameterSource::zone}}});
  case 2:
    return "d" + weightsToJson(model);
  case 3:
    return "g" + settingsToJson({});
  default:
    return "j0 0 0 0\n1 0 1 0\n2 1 1 0\n#\n0 1\n1 2\n";
  }
}

std::string goodNames(std::uint64_t number) {
  return number % 2 == 0 ? "0 root\n1 middle\n2 end\n" : "0 1 upper\n1 2 (lower)\n";
}

constexpr std::array kReaders = {
    FuzzReader{"model-bytes", "the message of the import's process", readModelBytes,
               goodModelBytes},
    FuzzReader{"gltf", "glTF, text and binary", readGltfBytes, goodGlb},
    FuzzReader{"fbx", "FBX, ASCII and binary", readFbxBytes},
    FuzzReader{"x", "DirectX X in all its forms", readXBytes},
    FuzzReader{"iqm", "Inter-Quake Models", readIqmBytes},
    FuzzReader{"collada", "Collada, versions 1.4 and 1.5", readColladaBytes},
    FuzzReader{"text",
               "JSON, TGF and weights; the first byte chooses: a pose, b zones, c layers, "
               "d weights, e ragdoll, f drivers, g settings, h splines, i motion map, "
               "j TGF, k dmat, l weights of a .txt",
               readText, goodText},
    FuzzReader{"names", "names of a TGF's joints and bones", readNames, goodNames},
};

} // namespace

std::span<const FuzzReader> fuzzReaders() {
  return kReaders;
}

} // namespace sinew
