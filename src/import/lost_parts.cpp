#include "import/lost_parts.h"

#include "core/file.h"
#include "core/text.h"
#include "import/formats.h"
#include "import/load_value.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace sinew {
namespace {

constexpr const char* kSaveAsGltf = "save it as glTF 2.0 or FBX from the program that made it";

std::string missing(std::string_view what) {
  return fmt::format("the file has {}, not read here: {}", what, kSaveAsGltf);
}

// Numbers of a file by their place; nothing beyond its end.
class FileBytes {
 public:
  explicit FileBytes(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  std::optional<T> at(std::size_t place) const {
    if (place > bytes_.size() || sizeof(T) > bytes_.size() - place) return std::nullopt;
    return loadValue<T>(bytes_.data() + place);
  }
  std::uint32_t countAt(std::size_t place) const { return at<std::uint32_t>(place).value_or(0); }

  // Steps over a list of Milkshape: how many, and so many bytes each.
  std::uint32_t skipList(std::size_t& place, std::size_t bytesEach) const {
    const std::uint32_t count = at<std::uint16_t>(place).value_or(0);
    place += 2 + count * bytesEach;
    return count;
  }

 private:
  std::string_view bytes_;
};

std::string lostFrames(std::uint32_t frames) {
  if (frames < 2) return {};
  return fmt::format("the file has {} frames of moved vertices and no skeleton: the first frame is "
                     "shown",
                     frames);
}

} // namespace

// Vertices, triangles, groups, materials, then the joints.
std::string lostMilkshape(std::string_view all) {
  const FileBytes bytes(all);
  std::size_t at = 14;
  bytes.skipList(at, 15);
  bytes.skipList(at, 70);
  const std::uint32_t groups = bytes.skipList(at, 0);
  for (std::uint32_t i = 0; i < groups; ++i) {
    at += 33;
    bytes.skipList(at, 2);
    ++at;
  }
  bytes.skipList(at, 361);
  at += 12; // frames per second, time, count of frames
  const std::uint32_t joints = bytes.at<std::uint16_t>(at).value_or(0);
  if (joints == 0) return {};
  return missing(fmt::format("a skeleton of {} joints", joints));
}

std::string lostMd2(std::string_view all) {
  return lostFrames(FileBytes(all).countAt(40));
}

std::string lostMd3(std::string_view all) {
  return lostFrames(FileBytes(all).countAt(76));
}

std::string lostMdl(std::string_view head) {
  const FileBytes bytes(head);
  if (head.starts_with("IDPO") || head.starts_with("MDL3") || head.starts_with("MDL4") ||
      head.starts_with("MDL5"))
    return lostFrames(bytes.countAt(68));
  const std::uint32_t bones = head.starts_with("MDL7") ? bytes.countAt(8) : 0;
  return bones > 0 ? missing(fmt::format("{} bones", bones)) : std::string();
}

// Blocks with a code and a length each; 'AR' is an armature.
std::string lostBlender(std::string_view all) {
  const FileBytes bytes(all);
  if (!all.starts_with("BLENDER") || all.size() < 12 || all[8] != 'v') return {};
  const std::size_t head = all[7] == '-' ? 24 : 20;
  std::size_t armatures = 0;
  for (std::size_t at = 12; at < all.size();) {
    armatures += all.substr(at).starts_with(std::string_view("AR\0\0", 4)) ? 1 : 0;
    const std::optional<std::uint32_t> length = bytes.at<std::uint32_t>(at + 4);
    if (!length) break;
    at += head + *length;
  }
  if (armatures == 0) return {};
  return missing(armatures == 1 ? std::string("an armature")
                                : fmt::format("{} armatures", armatures));
}

// A mesh names the file of its skeleton, in XML as an attribute, in the binary form in a
// chunk of its own.
std::string lostOgre(std::string_view all) {
  std::string_view name;
  constexpr std::string_view kLink = "<skeletonlink name=\"";
  if (const std::size_t link = all.find(kLink); link != all.npos) {
    name = all.substr(link + kLink.size());
    name = name.substr(0, name.find('"'));
  } else if (const std::size_t end = all.find(".skeleton\n"); end != all.npos) {
    std::size_t start = end;
    while (start > 0 && all[start - 1] > ' ' && all[start - 1] < 0x7f)
      --start;
    name = all.substr(start, end - start);
  } else {
    return {};
  }
  return fmt::format("the skeleton '{}', which the file names, was not read: it has to lie beside "
                     "it",
                     validUtf8(name.substr(0, 80)));
}

std::string lostOpenGex(std::string_view all) {
  return all.find("BoneRefArray") != all.npos ? missing("skins") : std::string();
}

std::string lostParts(const SourceFile& file, const Model& model) {
  const Format* format = findFormat(file.extension);
  if (!model.skins.empty() || format == nullptr || format->lost == nullptr) return {};
  return format->lost(readFile(file.path));
}

std::string_view unreadFormat(std::string_view extension) {
  struct Unread {
    std::string_view extension, name;
  };
  constexpr std::array kFormats = {
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
  for (const Unread& format : kFormats)
    if (format.extension == extension) return format.name;
  return {};
}

} // namespace sinew
