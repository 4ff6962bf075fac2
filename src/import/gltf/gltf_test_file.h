// A glTF file for one test: a square of two triangles, bytes and JSON to change. Header only: used
// by tests alone.
#pragma once

#include "core/base64.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew::test {

struct GltfFile {
  using Json = nlohmann::ordered_json;

  Json json = Json::parse(R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0, "name": "square"}], "bufferViews": [], "accessors": [],
    "meshes": [{"primitives": [{"attributes": {}}]}]})");
  std::string bytes;

  GltfFile() {
    primitive()["attributes"]["POSITION"] =
        add<float>({0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0}, 5126, "VEC3");
    primitive()["indices"] = add<std::uint16_t>({0, 1, 2, 0, 2, 3}, 5123, "SCALAR");
  }

  Json& primitive() { return json["meshes"][0]["primitives"][0]; }

  std::size_t addView(std::string_view data) {
    bytes.resize((bytes.size() + 3) / 4 * 4);
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", data.size()}});
    bytes += data;
    return json["bufferViews"].size() - 1;
  }

  template <class T>
  std::size_t add(const std::vector<T>& values, int componentType, const std::string& type) {
    const std::size_t components =
        type == "SCALAR" ? 1 : static_cast<std::size_t>(type.back() - '0');
    json["accessors"].push_back(
        {{"bufferView",
          addView({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)})},
         {"componentType", componentType},
         {"count", values.size() / (type == "MAT4" ? 16 : components)},
         {"type", type}});
    return json["accessors"].size() - 1;
  }

  std::string text() {
    Json out = json;
    if (!out.contains("buffers"))
      out["buffers"] =
          Json::array({{{"byteLength", bytes.size()},
                        {"uri", "data:application/octet-stream;base64," + base64(bytes)}}});
    return out.dump();
  }

  std::string glb() const {
    const auto word = [](std::size_t value) {
      const auto number = static_cast<std::uint32_t>(value);
      return std::string(reinterpret_cast<const char*>(&number), sizeof number);
    };
    Json out = json;
    if (!out.contains("buffers")) out["buffers"] = {{{"byteLength", bytes.size()}}};
    std::string text = out.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string data = bytes;
    data.resize((data.size() + 3) / 4 * 4);
    return "glTF" + word(2) + word(28 + text.size() + data.size()) + word(text.size()) + "JSON" +
           text + word(data.size()) + std::string("BIN\0", 4) + data;
  }
};

} // namespace sinew::test
