#include "import/formats.h"

#include "import/collada/read_collada.h"
#include "import/fbx/read_fbx.h"
#include "import/gltf/read_gltf.h"
#include "import/header_checks.h"
#include "import/iqm/read_iqm.h"
#include "import/x/read_x.h"

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
constexpr const char* kMd3 = " .md3 .skin .shader "; // of a player's other parts
constexpr auto kOther = SourceKind::other;

constexpr std::array kFormats{
    Format{"x", Kind::x, "DirectX X", readX, {"xof "}},
    Format{"fbx", Kind::fbx, "FBX", readFbx, {"Kaydara FBX Binary", "; FBX"}, {"FBX"}},
    Format{"gltf", Kind::gltf, "glTF", anyGltf, {"{"}, {}, kAny},
    Format{"glb", Kind::gltf, "glTF binary", anyGltf, {"glTF"}, {}, nullptr, true, brokenGlb},
    Format{"vrm", Kind::gltf, "VRM (glTF binary)", anyGltf, {"glTF"}, {}, nullptr, true, brokenGlb},
    Format{"iqm", Kind::iqm, "Inter-Quake Model", readIqm, {"INTERQUAKEMODEL"}},
    Format{"dae", Kind::collada, "Collada", readCollada, {}, {"<"}},
    Format{"md5mesh",
           Kind::md5,
           "MD5 mesh",
           nullptr,
           {kMd5},
           {kMd5},
           " .md5anim .md5camera ",
           true,
           brokenMd5},
    Format{"md5anim",
           Kind::md5,
           "MD5 animation",
           nullptr,
           {kMd5},
           {kMd5},
           " .md5mesh .md5camera ",
           true,
           brokenMd5},
    Format{
        "smd", Kind::smd, "Valve SMD", nullptr, {"version 1"}, {"version", "nodes"}, kSmd, false},
    Format{"vta", Kind::smd, "Valve VTA"},
    Format{"b3d", Kind::b3d, "Blitz3D", nullptr, {"BB3D"}, {}, nullptr, true, brokenB3d},
    Format{"bvh", Kind::bvh, "BVH motion capture", nullptr, {"HIERARCHY"}, {"HIERARCHY"}},
    Format{"obj", Kind::obj, "Wavefront OBJ", nullptr, {}, {}, " .mtl "},
    Format{"ply", kOther, {}, nullptr, {"ply"}, {}, nullptr, true, brokenPly},
    Format{"off", kOther, {}, nullptr, {}, {}, nullptr, true, brokenOff},
    Format{"mdl", kOther, {}, nullptr, {}, {}, " .mdl "},
    Format{"md3", kOther, {}, nullptr, {}, {}, kMd3, false},
    Format{"mesh", kOther, {}, nullptr, {}, {}, kOgre, false},
    Format{"xml", kOther, {}, nullptr, {}, {}, kOgre, false},
    Format{"irr", kOther, {}, nullptr, {}, {}, kAny},
    Format{"irrmesh", kOther, {}, nullptr, {}, {}, kAny},
    Format{"lws", kOther, {}, nullptr, {}, {}, kAny},
    Format{"mot", kOther, {}, nullptr, {}, {}, kAny},
    Format{"nff", kOther, {}, nullptr, {}, {}, kAny},
    Format{"blend", kOther, {}, nullptr, {}, {}, " .blend "},
    // In one file, but for textures.
    Format{"stl"}, Format{"3ds"}, Format{"ms3d"}, Format{"cob"}, Format{"ase"}, Format{"lwo"},
    Format{"ac"}, Format{"md2"}};

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
