#include "import/import_budget.h"

#include "core/error.h"
#include "core/file.h"
#include "import/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace sinew {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
// A decoded image exists as unfiltered rows, as pixels, and as copies of these in the model, in the
// message to the parent and in the file that the message is written to.
constexpr std::uint64_t kCopiesOfImages = 4;
constexpr std::uint64_t kSmallFile = 90'000; // bytes: longer ones have 10 s of the processor
constexpr std::size_t kMaxListed = 4096;     // entries of a folder that are looked at

// Bytes of a model in which names are looked for.
constexpr std::uint64_t kSearched = std::uint64_t{16} << 20;
constexpr std::size_t kMaxSearches = 256;

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

// Nothing of what is no regular file: a pipe would wait for its writer.
std::string readFirstBytes(const fs::path& path, std::uint64_t count) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return {};
  std::string bytes;
  struct stat about {};
  if (::fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) {
    bytes.resize(std::min(count, static_cast<std::uint64_t>(about.st_size)));
    const ssize_t got = ::read(fd, bytes.data(), bytes.size());
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  }
  ::close(fd);
  return bytes;
}

std::string encodedBlanks(const std::string& name) {
  std::string out;
  for (const char c : name)
    out += c == ' ' ? "%20" : std::string(1, c);
  return out;
}

// Bytes of the files in the model's folder and below that may be parts of the model.
std::uint64_t bytesOfParts(const fs::path& model, const Format& format) {
  const fs::path folder = model.has_parent_path() ? model.parent_path() : ".";
  const std::string stem = model.stem().string();
  const std::string_view parts = format.parts;
  std::optional<std::string> text;
  std::size_t searches = 0;
  const auto isNamed = [&](const std::string& name) {
    if (name.starts_with(stem) || !format.partsNamed) return true;
    if (++searches > kMaxSearches) return false;
    if (!text) text = readFirstBytes(model, kSearched);
    return text->find(name) != std::string::npos ||
           text->find(encodedBlanks(name)) != std::string::npos;
  };
  std::uint64_t bytes = 0;
  std::size_t entries = 0;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator() && entries < kMaxListed;
       entry.increment(error), ++entries) {
    std::error_code none;
    const fs::path& path = entry->path();
    if (!entry->is_regular_file(none) || path.filename() == model.filename()) continue;
    const bool mayBe = parts.empty() || parts.find(' ' + getExtension(path) + ' ') != parts.npos;
    if (mayBe && isNamed(path.filename().string())) bytes += lengthOfFile(path);
  }
  return bytes;
}

bool drawsInstances(const fs::path& model) {
  const Format* format = findFormat(getExtension(model));
  if (format == nullptr || format->kind != SourceKind::gltf) return false;
  return readFirstBytes(model, kSearched).find("EXT_mesh_gpu_instancing") != std::string::npos;
}

std::size_t countKeys(const Clip& clip) {
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
  const Format* format = findFormat(getExtension(path));
  if (format != nullptr && format->parts != nullptr) bytes += bytesOfParts(path, *format);
  std::uint64_t read = bytes;
  if (options.decodeTextures && read < kSmallFile) read += bytesBelow(folder, kSmallFile);
  for (const fs::path& textures : options.textureFolders)
    if (options.decodeTextures && read < kSmallFile) read += bytesBelow(textures, kSmallFile);
  const std::uint64_t images = options.decodeTextures ? kCopiesOfImages * options.maxImageBytes : 0;
  const double megabytes = static_cast<double>(read) / 1e6;
  // Seconds out of 60: at first what it takes to decode pictures that are a thousand times as long
  // as their file.
  const double seconds = std::min(2.0 + 100.0 * megabytes, 10.0 + 10.0 * megabytes);
  ImportBudget budget(path.string(), bytes);
  if (drawsInstances(path)) budget.allowInstances();
  return {budget.limit() + images, seconds / 60.0};
}

void checkModelLimits(const Model& model, const ImportOptions& options) {
  std::uint64_t keys = 0;
  for (const Clip& clip : model.clips)
    keys += countKeys(clip);
  const ImportBudget budget(model.path, 0);
  budget.checkCount(model.hierarchy.nodes.size(), options.maxNodes, "nodes");
  budget.checkCount(model.meshes.size(), options.maxMeshes, "meshes shown by nodes");
  budget.checkCount(vertexCount(model), options.maxVertices, "vertices");
  budget.checkCount(keys, options.maxKeys, "keys");
}

} // namespace sinew
