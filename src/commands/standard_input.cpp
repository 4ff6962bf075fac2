#include "commands/standard_input.h"

#include "core/error.h"
#include "core/file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = std::size_t(4) << 30;

struct Magic {
  std::string_view start;
  const char* extension;
};
constexpr std::array<Magic, 11> kMagics{{{"glTF", ".glb"},
                                         {"Kaydara FBX Binary", ".fbx"},
                                         {"; FBX", ".fbx"},
                                         {"xof ", ".x"},
                                         {"INTERQUAKEMODEL", ".iqm"},
                                         {"HIERARCHY", ".bvh"},
                                         {"MD5Version", ".md5mesh"},
                                         {"BB3D", ".b3d"},
                                         {"ply", ".ply"},
                                         {"version 1", ".smd"},
                                         {"{", ".gltf"}}};

std::string readAll() {
  std::string all;
  std::array<char, 1 << 16> part;
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), stdin)) {
    all.append(part.data(), count);
    if (all.size() > kMaxBytes) throw Error(ErrorCause::limit, "standard input: longer than 4 GB");
  }
  return all;
}

} // namespace

std::string extensionOfContent(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const std::string_view text = bytes.substr(std::min(first, bytes.size()));
  for (const Magic& magic : kMagics)
    if (text.starts_with(magic.start)) return magic.extension;
  const std::string_view head = text.substr(0, 4096);
  if (head.find("<COLLADA") != std::string_view::npos) return ".dae";
  for (const std::string_view line : {"\nv ", "\no ", "\ng ", "\nmtllib "})
    if (head.find(line) != std::string_view::npos || head.starts_with(line.substr(1)))
      return ".obj";
  return {};
}

StandardInput::StandardInput() {
  const std::string bytes = readAll();
  if (bytes.empty()) throw inputError("-", "standard input is empty");
  const std::string extension = extensionOfContent(bytes);
  if (extension.empty())
    throw inputError("-", "the format of standard input is not known",
                     "glTF, FBX, .x, IQM, Collada, BVH, MD5, SMD, B3D, PLY and OBJ are known by "
                     "their content; write others to a file");
  const fs::path pattern = fs::temp_directory_path() / "sinew-stdin-XXXXXX";
  try {
    path_ = folder_.emplace(pattern).path() / ("stdin" + extension);
  } catch (const std::system_error&) {
    throw usageError(pattern.string() + ": no temporary folder can be made", "set TMPDIR");
  }
  writeFile(path_, bytes);
}

} // namespace sinew
