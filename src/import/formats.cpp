#include "import/formats.h"

#include "import/format_checks.h"
#include "import/readers.h"

#include <algorithm>

namespace sinew {
namespace {

Model anyGltf(const SourceFile& file, const ImportOptions& options) {
  return readGltf(file, options);
}

using Kind = SourceKind;

constexpr const char* kAny = "";
constexpr const char* kMd5 = "MD5Version";
constexpr const char* kOgre = " .skeleton .xml .material ";
constexpr const char* kSmd = " .smd .txt .vta ";     // a list of animations names them
constexpr const char* kMd3 = " .md3 .skin .shader "; // files of a player's other parts

bool isTextX(std::string_view head) {
  return head.size() > 12 && head.substr(8, 4) == "txt ";
}
bool isTextFbx(std::string_view head) {
  return !head.starts_with("Kaydara");
}
bool isAlwaysText(std::string_view) {
  return true;
}

constexpr std::array kFormats{
    Format{.extension = "x",
           .kind = Kind::x,
           .name = "DirectX X",
           .read = readX,
           .begins = {"xof "},
           .isBlockText = isTextX,
           .comments = {"//", "#"},
           .mediaType = "model/x-directx"},
    Format{.extension = "fbx",
           .kind = Kind::fbx,
           .name = "FBX",
           .read = readFbx,
           .begins = {"Kaydara FBX Binary", "; FBX"},
           .holds = {"FBX"},
           .isBlockText = isTextFbx,
           .comments = {";"},
           .mediaType = "model/x-fbx"},
    Format{.extension = "gltf",
           .kind = Kind::gltf,
           .name = "glTF",
           .read = anyGltf,
           .begins = {"{"},
           .parts = kAny,
           .mediaType = "model/gltf+json"},
    Format{.extension = "glb",
           .kind = Kind::gltf,
           .name = "glTF binary",
           .read = anyGltf,
           .begins = {"glTF"},
           .complaint = brokenGlb,
           .mediaType = "model/gltf-binary"},
    Format{.extension = "vrm",
           .kind = Kind::gltf,
           .name = "VRM (glTF binary)",
           .read = anyGltf,
           .begins = {"glTF"},
           .complaint = brokenGlb,
           .mediaType = "model/x-vrm"},
    Format{.extension = "iqm",
           .kind = Kind::iqm,
           .name = "Inter-Quake Model",
           .read = readIqm,
           .begins = {"INTERQUAKEMODEL"},
           .mediaType = "model/x-iqm"},
    Format{.extension = "dae",
           .kind = Kind::collada,
           .name = "Collada",
           .read = readCollada,
           .holds = {"<"},
           .mediaType = "model/vnd.collada+xml"},
    Format{.extension = "md5mesh",
           .kind = Kind::md5,
           .name = "MD5 mesh",
           .begins = {kMd5},
           .holds = {kMd5},
           .parts = " .md5anim .md5camera ",
           .complaint = brokenMd5,
           .isBlockText = isAlwaysText,
           .comments = {"//"},
           .mediaType = "model/x-md5mesh"},
    Format{.extension = "md5anim",
           .kind = Kind::md5,
           .name = "MD5 animation",
           .begins = {kMd5},
           .holds = {kMd5},
           .parts = " .md5mesh .md5camera ",
           .complaint = brokenMd5,
           .isBlockText = isAlwaysText,
           .comments = {"//"},
           .motionAlone = true,
           .mediaType = "model/x-md5anim"},
    Format{.extension = "smd",
           .kind = Kind::smd,
           .name = "Valve SMD",
           .begins = {"version 1"},
           .holds = {"version", "nodes"},
           .parts = kSmd,
           .partsNamed = false,
           .mediaType = "model/x-valve-smd"},
    Format{.extension = "vta", .kind = Kind::smd, .name = "Valve VTA", .motionAlone = true},
    Format{.extension = "b3d",
           .kind = Kind::b3d,
           .name = "Blitz3D",
           .begins = {"BB3D"},
           .complaint = brokenB3d,
           .mediaType = "model/x-blitz3d"},
    Format{.extension = "bvh",
           .kind = Kind::bvh,
           .name = "BVH motion capture",
           .begins = {"HIERARCHY"},
           .holds = {"HIERARCHY"},
           .motionAlone = true,
           .mediaType = "model/x-bvh"},
    Format{.extension = "obj",
           .kind = Kind::obj,
           .name = "Wavefront OBJ",
           .parts = " .mtl ",
           .mediaType = "model/obj"},
    Format{.extension = "ply", .begins = {"ply"}, .complaint = brokenPly},
    Format{.extension = "off", .complaint = brokenOff},
    Format{.extension = "mdl", .parts = " .mdl ", .lost = lostMdl},
    Format{.extension = "md3", .parts = kMd3, .partsNamed = false, .lost = lostMd3},
    Format{.extension = "mesh", .parts = kOgre, .partsNamed = false, .lost = lostOgre},
    Format{.extension = "xml",
           .ending = ".mesh.xml",
           .parts = kOgre,
           .partsNamed = false,
           .lost = lostOgre},
    Format{.extension = "irr", .parts = kAny}, Format{.extension = "irrmesh", .parts = kAny},
    Format{.extension = "lws", .parts = kAny},
    Format{.extension = "mot", .parts = kAny, .motionAlone = true},
    Format{.extension = "nff", .parts = kAny},
    Format{.extension = "blend", .parts = " .blend ", .lost = lostBlender, .inBrowser = false},
    // In one file, but for textures.
    Format{.extension = "stl"}, Format{.extension = "3ds"},
    Format{.extension = "ms3d", .lost = lostMilkshape}, Format{.extension = "cob"},
    Format{.extension = "ase"}, Format{.extension = "lwo"}, Format{.extension = "ac"},
    Format{.extension = "md2", .lost = lostMd2}, Format{.extension = "mdc", .lost = lostMd3},
    Format{.extension = "ogex", .lost = lostOpenGex}, Format{.extension = "hmp"},
    Format{.extension = "csm", .motionAlone = true}};

// The first bytes as text from its first word on: without a byte order mark, and 16-bit text
// narrowed to what is ASCII in it, which is enough to recognise XML.
std::string asText(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  std::string text;
  const bool wide = head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff");
  for (const char c : head)
    if (!wide || (c > 0 && c < 0x7f)) text += c;
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool begins(const Format& format, std::string_view text) {
  return std::ranges::any_of(format.begins, [&](std::string_view start) {
    return !start.empty() && text.starts_with(start);
  });
}

} // namespace

std::span<const Format> formats() {
  return kFormats;
}

const Format* findFormat(std::string_view extension) {
  if (extension.starts_with('.')) extension.remove_prefix(1);
  const auto found = std::ranges::find(kFormats, extension, &Format::extension);
  return found == kFormats.end() ? nullptr : &*found;
}

std::string getEnding(const Format& format) {
  return format.ending.empty() ? '.' + std::string(format.extension) : std::string(format.ending);
}

const Format* formatOfContent(std::string_view head) {
  const std::string text = asText(head);
  for (const Format& format : kFormats)
    if (begins(format, text)) return &format;
  if (text.find("<COLLADA") != std::string::npos) return findFormat("dae");
  for (const std::string_view line : {"\nv ", "\no ", "\ng ", "\nmtllib "})
    if (text.find(line) != std::string::npos || text.starts_with(line.substr(1)))
      return findFormat("obj");
  return nullptr;
}

bool mayBegin(const Format& format, std::string_view head) {
  const std::string text = asText(head);
  if (format.holds.front().empty()) return format.begins.front().empty() || begins(format, text);
  return std::ranges::any_of(format.holds, [&](std::string_view part) {
    return !part.empty() && text.find(part) != std::string::npos;
  });
}

} // namespace sinew
