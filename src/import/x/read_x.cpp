#include "core/text.h"
#include "import/readers.h"
#include "import/x/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

// Where an object of a type is read. An empty parent: the file itself.
struct UsedIn {
  std::string_view type;
  std::string_view parent;
};
constexpr std::array kUsed = {
    UsedIn{"Frame", ""},
    UsedIn{"Frame", "Frame"},
    UsedIn{"FrameTransformMatrix", "Frame"},
    UsedIn{"Mesh", ""},
    UsedIn{"Mesh", "Frame"},
    UsedIn{"MeshNormals", "Mesh"},
    UsedIn{"MeshTextureCoords", "Mesh"},
    UsedIn{"MeshVertexColors", "Mesh"},
    UsedIn{"DeclData", "Mesh"},
    UsedIn{"FVFData", "Mesh"},
    UsedIn{"MeshMaterialList", "Mesh"},
    UsedIn{"SkinWeights", "Mesh"},
    UsedIn{"Material", ""},
    UsedIn{"Material", "MeshMaterialList"},
    UsedIn{"TextureFilename", "Material"},
    UsedIn{"AnimationSet", ""},
    UsedIn{"Animation", ""},
    UsedIn{"Animation", "AnimationSet"},
    UsedIn{"AnimationKey", "Animation"},
    UsedIn{"AnimationOptions", "Animation"},
    UsedIn{"AnimTicksPerSecond", ""},
    UsedIn{"AnimTicksPerSecond", "AnimationSet"},
};
// Counts, what follows from the rest, and notes of exporters: nothing to show.
constexpr std::array<std::string_view, 6> kNotes = {
    "Header",       "XSkinMeshHeader",     "VertexDuplicationIndices",
    "KeyValuePair", "ObjectMatrixComment", "AnimTicksPerSecond"};

// What the file holds and sinew does not use.
class UnusedXParts {
 public:
  UnusedXParts(const XDocument& document, UnusedCounts& counts)
      : document_(document), counts_(counts) {}

  void count() {
    std::vector<std::uint32_t> open{XDocument::kFile};
    while (!open.empty()) {
      const std::uint32_t parent = open.back();
      open.pop_back();
      countRepeated(parent);
      for (const std::uint32_t child : document_.object(parent).children)
        if (isUsed(document_.object(parent), document_.object(child))) open.push_back(child);
    }
  }

  std::size_t compressedSets() const { return compressedSets_; }

 private:
  // Whether what is within it is worth a look; counts it otherwise.
  bool isUsed(const XObject& parent, const XObject& object) {
    if (isReference(object)) {
      countReference(parent, object);
      return false;
    }
    if (isA(object, "CompressedAnimationSet")) {
      ++compressedSets_;
      return false;
    }
    if (isA(object, "AnimationOptions")) countOptions(object);
    const auto is = [&](std::string_view type) { return isA(object, type); };
    if (std::any_of(kNotes.begin(), kNotes.end(), is)) return false;
    if (std::any_of(kUsed.begin(), kUsed.end(), [&](const UsedIn& used) {
          return isA(object, used.type) && isA(parent, used.parent);
        }))
      return true;
    if (isA(object, "NormalmapFilename")) {
      counts_.add("texture of other than the base colour",
                  "textures of other than the base colour");
      return false;
    }
    constexpr std::size_t kLongestName = 40;
    const std::string type(utf8Prefix(object.type, kLongestName));
    counts_.add(fmt::format("object of the kind {}", type),
                fmt::format("objects of the kind {}", type));
    return false;
  }

  void countReference(const XObject& parent, const XObject& reference) {
    const bool meant = isA(parent, "Frame")              ? finds(reference, {"Frame", "Mesh"})
                       : isA(parent, "MeshMaterialList") ? finds(reference, {"Material"})
                       : isA(parent, "AnimationSet")
                           ? finds(reference, {"Animation"})
                           : isA(parent, "Animation"); // repaired if it is not there
    if (!meant)
      counts_.add("reference to what is not there or has no place there",
                  "references to what is not there or has no place there");
  }

  bool finds(const XObject& reference, XDocument::Types types) const {
    return document_.target(reference, types) != XDocument::kNone;
  }

  // What may stand once only.
  void countRepeated(std::uint32_t parent) {
    const auto further = [&](std::string_view type, const char* one, const char* many) {
      const std::size_t count = document_.inner(parent, type).size();
      if (count > 1) counts_.add(one, many, count - 1);
    };
    const XObject& object = document_.object(parent);
    if (isA(object, "Frame"))
      further("FrameTransformMatrix", "further matrix of a frame", "further matrices of frames");
    if (isA(object, "Mesh"))
      further("MeshMaterialList", "further list of materials", "further lists of materials");
    if (isA(object, "Material"))
      further("TextureFilename", "further texture of a material", "further textures of materials");
  }

  // Open or closed, and the quality of positions. Quality 0 is a spline, whose kind nobody has
  // published; Direct3D's own player takes straight lines too.
  void countOptions(const XObject& object) {
    if (object.numbers.size() > 1 && object.numbers[1] == 0.0)
      counts_.add("animation that asks for splines of positions (lines are played)",
                  "animations that ask for splines of positions (lines are played)");
  }

  const XDocument& document_;
  UnusedCounts& counts_;
  std::size_t compressedSets_ = 0;
};

// Lines for Model::warnings. counts: what the readers have counted already.
std::vector<std::string> unusedParts(const XDocument& document, UnusedCounts counts) {
  std::vector<std::string> lines;
  UnusedXParts parts(document, counts);
  parts.count();
  if (const std::size_t sets = parts.compressedSets(); sets > 0)
    lines.push_back(fmt::format("{} compressed animation set{} not read, because the coding is "
                                "Direct3D's own and not published: save the file without animation "
                                "compression",
                                sets, sets == 1 ? " is" : "s are"));
  if (const std::string line = counts.line(); !line.empty()) lines.push_back("not used: " + line);
  return lines;
}

} // namespace

Model readX(const SourceFile& file, const ImportOptions& options) try {
  Model model = startModel(file);
  const XDocument document(file, options);
  reportImport(options, 0.4f, "meshes");
  RepairLog repairs;
  UnusedCounts unused;
  XFrames frames = readXFrames(document, repairs);
  XMaterials materials(document, model);
  readXMeshes(document, frames, materials, repairs, unused, model);
  if (model.materials.empty()) materials.fallback();
  reportImport(options, 0.8f, "animation");
  readXClips(document, frames, repairs, unused, model);
  for (std::string& line : unusedParts(document, std::move(unused)))
    model.warnings.push_back(std::move(line));
  model.hierarchy = std::move(frames.hierarchy);
  model.repairs = repairs.lines();
  return model;
} catch (const XError& error) {
  throw notUsable(file, error);
}

} // namespace sinew
