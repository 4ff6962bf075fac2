#include "core/file.h"
#include "core/test_files.h"
#include "import/formats.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace sinew {
namespace {

std::string_view extensionOfContent(std::string_view bytes) {
  const Format* format = formatOfContent(bytes);
  return format == nullptr ? std::string_view() : format->extension;
}

std::string desktopFile(const char* name) {
  return readFile(test::sourceFolder() / "assets" / "desktop" / name);
}

// What stands between two texts, wherever it does.
std::set<std::string> allBetween(const std::string& text, std::string_view before,
                                 std::string_view after) {
  std::set<std::string> out;
  for (std::size_t at = text.find(before); at != text.npos; at = text.find(before, at)) {
    at += before.size();
    out.insert(text.substr(at, text.find(after, at) - at));
  }
  return out;
}

// The types in "MimeType=a;b;c;".
std::set<std::string> mimeTypes(const std::string& entry) {
  return allBetween(';' + *allBetween(entry, "MimeType=", "\n").begin(), ";", ";");
}

} // namespace

TEST_CASE("formats: known by the first bytes") {
  CHECK(extensionOfContent("glTF\x02") == "glb");
  CHECK(extensionOfContent("\xef\xbb\xbf\n {\"asset\": {}}") == "gltf");
  CHECK(extensionOfContent("Kaydara FBX Binary  ") == "fbx");
  CHECK(extensionOfContent("; FBX 7.4.0 project file") == "fbx");
  CHECK(extensionOfContent("xof 0302txt 0032") == "x");
  CHECK(extensionOfContent("<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"\">") == "dae");
  CHECK(extensionOfContent("# made by hand\nv 0 0 0\n") == "obj");
  CHECK(extensionOfContent("o cube\n") == "obj");
  CHECK(extensionOfContent("HIERARCHY\nROOT Hips") == "bvh");
  CHECK(extensionOfContent("not a model").empty());
  CHECK(extensionOfContent("").empty());
}

TEST_CASE("formats: the desktop's files have each row that has a media type") {
  std::set<std::string> opened, described, endings, drawn;
  for (const Format& format : formats()) {
    if (format.mediaType.empty()) continue;
    const std::string type(format.mediaType);
    if (format.extension != "md5anim") opened.insert(type); // moves another file's model
    if (!format.motionAlone) drawn.insert(type);
    // shared-mime-info has these.
    if (type.starts_with("model/gltf") || type == "model/obj") continue;
    described.insert(type);
    endings.insert("*." + std::string(format.extension));
  }
  opened.insert(""); // behind the last semicolon
  drawn.insert("");
  const std::string types = desktopFile("sinew-models.xml");
  CHECK(allBetween(types, "<mime-type type=\"", "\"") == described);
  CHECK(allBetween(types, "<glob pattern=\"", "\"") == endings);
  CHECK(mimeTypes(desktopFile("sinew.desktop")) == opened);
  CHECK(mimeTypes(desktopFile("sinew.thumbnailer")) == drawn);
}

TEST_CASE(
    "formats: each row is found by its extension alone, and files that begin as it says are its") {
  std::set<std::string_view> seen;
  for (const Format& format : formats()) {
    CAPTURE(format.extension);
    CHECK(seen.insert(format.extension).second);
    CHECK(findFormat(format.extension) == &format);
    CHECK((format.read == nullptr || !format.name.empty()));
    for (const std::string_view start : format.begins) {
      if (start.empty()) continue;
      CHECK(mayBegin(format, start));
      CHECK(formatOfContent(start)->begins == format.begins); // .glb and .vrm begin alike
    }
  }
  CHECK(findFormat(".glb") == findFormat("glb"));
  CHECK(findFormat("txt") == nullptr);
  CHECK_FALSE(mayBegin(*findFormat("glb"), "{}"));
}

} // namespace sinew
