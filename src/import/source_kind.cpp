#include "import/source_kind.h"

#include "core/error.h"
#include "import/format_checks.h"
#include "import/formats.h"
#include "import/load_value.h"
#include "import/readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace sinew {
namespace fs = std::filesystem;
namespace {

std::string lowerExtension(const fs::path& path) {
  std::string extension = path.extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::string firstBytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw inputError(path.string(), fmt::format("cannot be read ({})", std::strerror(errno)));
  std::string head(1024, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

// What a file of Half-Life holds that is read with the model which it belongs to; else empty.
std::string_view partsOfOther(std::string_view extension, std::string_view head) {
  constexpr std::size_t kTextures = 180, kBodyParts = 204; // counts in the header
  if (extension != "mdl") return {};
  if (head.starts_with("IDSQ")) return "animations";
  if (!head.starts_with("IDST") || head.size() < kBodyParts + sizeof(std::uint32_t)) return {};
  const bool textures = loadValue<std::uint32_t>(head.data() + kTextures) > 0;
  return textures && loadValue<std::uint32_t>(head.data() + kBodyParts) == 0 ? "textures"
                                                                             : std::string_view();
}

// "FBX" becomes "FBX binary" or "FBX ASCII".
std::string describe(const Format& known, std::string_view head) {
  std::string format(known.name);
  if (known.kind == SourceKind::fbx)
    return format + (head.starts_with("Kaydara FBX Binary") ? " binary" : " ASCII");
  if (known.kind != SourceKind::x || head.size() < 16) return format;
  const std::string_view kind = head.substr(8, 4);
  if (kind == "txt ") return format + " text";
  if (kind == "bin ") return format + " binary";
  if (kind == "tzip") return format + " text, compressed";
  if (kind == "bzip") return format + " binary, compressed";
  return format;
}

void checkContent(const SourceFile& file, const Format* known, std::string_view head) {
  if (head.starts_with("\x1f\x8b"))
    throw inputError(file.path.string(), "is compressed by gzip", "unpack it with gunzip first");
  if (head.starts_with("PK\x03\x04") && file.extension != "3mf" && file.extension != "zae" &&
      file.extension != "pk3" && file.extension != "q3o")
    throw inputError(file.path.string(), "is a zip archive", "unpack it and open the model inside");
  if (const std::string_view parts = partsOfOther(file.extension, head); !parts.empty())
    throw inputError(file.path.string(), fmt::format("holds {} of another model alone", parts),
                     "open that model: its file names the others and they are read with it");
  if (known == nullptr || mayBegin(*known, head)) {
    if (known == nullptr) return;
    std::string broken;
    if (known->complaint != nullptr) broken = known->complaint(head, file.bytes);
    if (broken.empty() && known->isBlockText != nullptr && known->isBlockText(head))
      broken = unbalancedBlock(file.path, known->comments);
    if (!broken.empty()) throw inputError(file.path.string(), broken, "the file is damaged");
    return;
  }
  const Format* actual = formatOfContent(head);
  if (actual == nullptr || actual == known)
    throw inputError(
        file.path.string(),
        fmt::format("is not a .{} file: its first bytes are not of that format", file.extension),
        "the file is damaged or misnamed");
  throw inputError(file.path.string(),
                   fmt::format("is named .{} but its content is that of a .{} file", file.extension,
                               actual->extension),
                   fmt::format("rename it to end in .{}", actual->extension));
}

// The program or format behind an extension that no reader here knows ("Maya"), or empty.
std::string_view unreadFormat(std::string_view extension) {
  struct Unread {
    std::string_view extension, name;
  };
  constexpr std::array kUnread = {
      Unread{"m3d", "Model 3D"},
      Unread{"a3d", "Model 3D"},
      Unread{"usd", "USD"},
      Unread{"usda", "USD"},
      Unread{"usdc", "USD"},
      Unread{"usdz", "USD"},
      Unread{"abc", "Alembic"},
      Unread{"max", "3ds Max"},
      Unread{"ma", "Maya"},
      Unread{"mb", "Maya"},
      Unread{"c4d", "Cinema 4D"},
      Unread{"pmx", "MikuMikuDance"},
      Unread{"pmd", "MikuMikuDance"},
      Unread{"vmd", "MikuMikuDance"},
      Unread{"psk", "Unreal ActorX"},
      Unread{"psa", "Unreal ActorX"},
      Unread{"nif", "Gamebryo"},
      Unread{"mdx", "Warcraft III"},
      Unread{"skeleton", "OGRE skeleton"},
  };
  for (const Unread& format : kUnread)
    if (format.extension == extension) return format.name;
  return {};
}

// The error for a file that neither we nor Assimp read.
Error unreadable(const SourceFile& file, const Format* known) {
  const std::string path = file.path.string();
  if (const std::string_view unread = unreadFormat(file.extension); !unread.empty())
    return inputError(path, fmt::format("is a file of {}, which is not read", unread),
                      "save it as glTF 2.0 or FBX");
  if (known != nullptr) // in a browser, where Assimp has not all of its importers
    return inputError(
        path, fmt::format("'.{}' is not read in a browser", file.extension),
        fmt::format("the program for the desktop converts it: sinew export '{}' -o '{}.glb'",
                    file.path.filename().string(), file.path.stem().string()));
  return inputError(
      path,
      file.extension.empty() ? std::string("has no extension that says what it is")
                             : fmt::format("'.{}' is not a kind of model file", file.extension),
      fmt::format("sinew reads {} and most of Assimp's other formats", listFormats(&Format::name)));
}

} // namespace

SourceFile identifyFile(const fs::path& path, std::uint64_t maxBytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none)
    throw inputError(path.string(), fmt::format("cannot be read ({})", error.message()));
  if (!fs::exists(status)) throw inputError(path.string(), "no such file");
  if (fs::is_directory(status)) throw inputError(path.string(), "is a folder, not a file");
  if (!fs::is_regular_file(status)) throw inputError(path.string(), "is not a regular file");

  SourceFile file;
  file.path = path;
  file.extension = lowerExtension(path);
  file.bytes = fs::file_size(path, error);
  if (error) throw inputError(path.string(), fmt::format("cannot be read ({})", error.message()));
  if (file.bytes == 0) throw inputError(path.string(), "is empty");
  if (file.bytes > maxBytes)
    throw Error(ErrorCause::limit, fmt::format("{}: is {} bytes long, the limit is {}",
                                               path.string(), file.bytes, maxBytes));
  const std::string head = firstBytes(path);
  const Format* known = findFormat(file.extension);
  if (known != nullptr && !known->name.empty()) {
    file.kind = known->kind;
    file.format = describe(*known, head);
  } else {
    const std::string format = assimpFormat(file.extension);
    if (format.empty()) throw unreadable(file, known);
    file.format =
        path.filename().string().ends_with(".mesh.xml") ? std::string("OGRE mesh XML") : format;
  }
  checkContent(file, known, head);
  return file;
}

} // namespace sinew
