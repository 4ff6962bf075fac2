#include "import/import_budget.h"

#include "core/error.h"
#include "core/file.h"
#include "import/import_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace sinew {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
// Of a decoded image at a time there are its unfiltered rows, its pixels, and their copies in the
// model, in the message to the parent and in the file that this is written to.
constexpr std::uint64_t kCopiesOfImages = 4;
constexpr std::uint64_t kSmallFile = 90'000; // bytes: longer ones have 10 s of the processor
constexpr std::size_t kMaxListed = 4096;     // of a folder, that are looked at

// Files of these formats name no other ones but textures.
constexpr std::array<std::string_view, 5> kSingleFiles = {".glb", ".vrm", ".fbx", ".x", ".iqm"};

std::uint64_t lengthOfFile(const fs::path& path) {
  std::error_code none;
  const std::uint64_t bytes = fs::file_size(path, none);
  return none ? 0 : bytes;
}

// At least so many bytes are enough: the walk ends there.
std::uint64_t bytesBelow(const fs::path& folder, std::uint64_t enough = UINT64_MAX) {
  std::uint64_t bytes = 0;
  std::size_t entries = 0;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator() && entries < kMaxListed &&
         bytes < enough;
       entry.increment(error), ++entries) {
    std::error_code none;
    if (entry->is_regular_file(none)) bytes += lengthOfFile(entry->path());
  }
  return bytes;
}

std::size_t keysOf(const Clip& clip) {
  std::size_t keys = 0;
  for (const Channel& channel : clip.channels)
    keys += channel.translation.times.size() + channel.rotation.times.size() +
            channel.scale.times.size();
  for (const MorphChannel& channel : clip.morphs)
    keys += channel.weight.times.size();
  for (const TwistChannel& channel : clip.twists)
    keys += channel.twist.times.size();
  return keys;
}

} // namespace

void ImportBudget::take(std::uint64_t count, std::uint64_t bytesEach, std::string_view what) {
  if (bytesEach == 0 || count <= left() / bytesEach) {
    taken_ += count * bytesEach;
    return;
  }
  throw Error(ErrorCause::limit,
              fmt::format("{}: {} {} take too much memory: the limit is {} MB for a file of {} "
                          "bytes; the file is damaged, or repeats its parts too often",
                          name_, count, what, limit() / kMegabyte, bytes_));
}

void ImportBudget::checkCount(std::uint64_t count, std::uint64_t limit,
                              std::string_view what) const {
  if (count > limit)
    throw Error(ErrorCause::limit,
                fmt::format("{}: has {} {}, the limit is {}", name_, count, what, limit));
}

ReadingLimits limitsToRead(const fs::path& path, const ImportOptions& options) {
  // What a model may open lies in its folder or below, or where the user says that textures are.
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::uint64_t bytes = lengthOfFile(path);
  const bool single =
      std::find(kSingleFiles.begin(), kSingleFiles.end(), extensionOf(path)) != kSingleFiles.end();
  if (!single) bytes += bytesBelow(folder);
  std::uint64_t read = bytes;
  if (single && options.decodeTextures && read < kSmallFile) read += bytesBelow(folder, kSmallFile);
  for (const fs::path& textures : options.textureFolders)
    if (options.decodeTextures && read < kSmallFile) read += bytesBelow(textures, kSmallFile);
  const std::uint64_t images = options.decodeTextures ? kCopiesOfImages * options.maxImageBytes : 0;
  const double megabytes = static_cast<double>(read) / 1e6;
  // Of 60 s: at first what decoding takes of pictures that are a thousand times as long as their
  // file.
  const double seconds = std::min(2.0 + 100.0 * megabytes, 10.0 + 10.0 * megabytes);
  return {ImportBudget(path.string(), bytes).limit() + images, seconds / 60.0};
}

void checkModelLimits(const Model& model, const ImportOptions& options) {
  std::uint64_t keys = 0;
  for (const Clip& clip : model.clips)
    keys += keysOf(clip);
  const ImportBudget budget(model.path, 0);
  budget.checkCount(model.hierarchy.nodes.size(), options.maxNodes, "nodes");
  budget.checkCount(model.meshes.size(), options.maxMeshes, "meshes shown by nodes");
  budget.checkCount(vertexCount(model), options.maxVertices, "vertices");
  budget.checkCount(keys, options.maxKeys, "keys");
}

} // namespace sinew
