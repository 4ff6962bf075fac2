#include "import/scene_file.h"

#include "core/error.h"

#include <assimp/ProgressHandler.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

// Assimp ignores what Update() returns, so cancelling leaves through an exception. Importers catch
// whatever is thrown inside them, therefore the flag.
class Progress : public Assimp::ProgressHandler {
 public:
  Progress(const ImportProgress& callback, bool& cancelled)
      : callback_(callback), cancelled_(cancelled) {}

  bool Update(float fraction) override { return report(0.8f * fraction, "reading"); }
  void UpdateFileRead(int step, int steps) override {
    report(0.6f * share(step, steps), "reading");
  }
  void UpdatePostProcess(int step, int steps) override {
    report(0.6f + 0.2f * share(step, steps), "preparing meshes");
  }

 private:
  static float share(int step, int steps) {
    return steps > 0 ? static_cast<float>(step) / static_cast<float>(steps) : 1.0f;
  }
  bool report(float fraction, std::string_view what) {
    if (callback_ && !callback_(std::clamp(fraction, 0.0f, 1.0f), what)) cancelled_ = true;
    if (cancelled_) throw Cancelled();
    return true;
  }

  const ImportProgress& callback_;
  bool& cancelled_;
};

constexpr unsigned kSteps = aiProcess_Triangulate | aiProcess_GenSmoothNormals |
                            aiProcess_SortByPType | aiProcess_FlipUVs;

void configure(Assimp::Importer& importer) {
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                              aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, true);
  // The stick figure Assimp makes for a skeleton would be drawn as a mesh; we draw bones.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
}

std::string readable(std::string text) {
  if (const auto end = text.find_last_not_of(" \t\r\n."); end != std::string::npos)
    text.erase(end + 1);
  return text.empty() ? "Assimp gives no reason" : text;
}

void checkLimits(const SceneFile& read, const ImportOptions& options) {
  std::uint64_t vertices = 0;
  for (unsigned i = 0; i < read.scene->mNumMeshes; ++i)
    vertices += read.scene->mMeshes[i]->mNumVertices;
  if (vertices > options.maxVertices)
    throw Error(ExitCode::limit, fmt::format("{}: has {} vertices, the limit is {}",
                                             read.file.path.string(), vertices,
                                             options.maxVertices));
}

} // namespace

SceneFile readScene(const std::filesystem::path& path, const ImportOptions& options) {
  SceneFile read{identifyFile(path, options.maxFileBytes), std::make_unique<Assimp::Importer>(),
                 nullptr};
  configure(*read.importer);
  bool cancelled = false;
  Progress progress(options.progress, cancelled);
  read.importer->SetProgressHandler(&progress); // lent: taken back below on every way out
  try {
    read.scene = read.importer->ReadFile(path.string(), kSteps);
  } catch (const std::exception& error) {
    read.importer->SetProgressHandler(nullptr);
    if (cancelled) throw Cancelled();
    throw inputError(path.string(), fmt::format("not a usable {} file: {}", read.file.format,
                                                readable(error.what())));
  }
  read.importer->SetProgressHandler(nullptr);
  if (cancelled) throw Cancelled();
  if (read.scene == nullptr || read.scene->mRootNode == nullptr)
    throw inputError(path.string(), fmt::format("not a usable {} file: {}", read.file.format,
                                                readable(read.importer->GetErrorString())));
  checkLimits(read, options);
  return read;
}

} // namespace sinew
