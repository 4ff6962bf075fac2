// FBX files for tests: ASCII text of version 7 put together from its objects and connections, and
// any ASCII file as binary. Header only: used by tests alone.
#pragma once

#include "import/fbx/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <zlib.h>

namespace sinew::test {

// Ids: the root is 0; those of objects are the tests' own.
struct FbxText {
  std::string settings;    // lines "P: ..."
  std::string objects;     // elements
  std::string connections; // lines "C: ..."

  // properties: lines "P: ...". inside: further elements.
  void model(int id, const std::string& name, const std::string& type,
             const std::string& properties = {}, int parent = 0) {
    objects += fmt::format("Model: {}, \"Model::{}\", \"{}\" {{\nVersion: 232\nProperties70:  {{\n"
                           "{}P: \"InheritType\", \"enum\", \"\", \"\",1\n}}\n}}\n",
                           id, name, type, properties);
    connect(id, parent);
  }
  void object(int id, const std::string& kind, const std::string& name, const std::string& type,
              const std::string& inside, int parent) {
    objects += fmt::format("{}: {}, \"{}\", \"{}\" {{\n{}}}\n", kind, id, name, type, inside);
    connect(id, parent);
  }
  void connect(int child, int parent, const std::string& property = {}) {
    connections += property.empty()
                       ? fmt::format("C: \"OO\",{},{}\n", child, parent)
                       : fmt::format("C: \"OP\",{},{}, \"{}\"\n", child, parent, property);
  }

  std::string text() const {
    return "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXVersion: 7400\n}\n"
           "GlobalSettings:  {\nVersion: 1000\nProperties70:  {\n" +
           settings + "}\n}\nObjects:  {\n" + objects + "}\nConnections:  {\n" + connections +
           "}\n";
  }
};

inline std::string list(const std::string& name, const std::string& numbers) {
  const auto count = numbers.empty() ? 0 : std::count(numbers.begin(), numbers.end(), ',') + 1;
  return fmt::format("{}: *{} {{\na: {}\n}}\n", name, count, numbers);
}

// A property of three numbers.
inline std::string vector(const std::string& name, double x, double y, double z) {
  return fmt::format("P: \"{}\", \"Vector3D\", \"Vector\", \"\",{},{},{}\n", name, x, y, z);
}
inline std::string number(const std::string& name, double value) {
  return fmt::format("P: \"{}\", \"Number\", \"\", \"A\",{}\n", name, value);
}

// Two quads side by side along x, from 0 to 2, one high: points 0 to 5.
inline std::string stripMesh(const std::string& inside = {}) {
  return list("Vertices", "0,0,0,1,0,0,2,0,0,0,1,0,1,1,0,2,1,0") +
         list("PolygonVertexIndex", "0,1,4,-4,1,2,5,-5") + inside;
}

// Seconds as the ticks of files.
inline long long ticks(double seconds) {
  return static_cast<long long>(seconds * 46186158000.0);
}

// A curve: its keys' times in seconds, values, and attributes ("flags|four data") of all of them.
inline std::string curve(const std::vector<double>& times, const std::string& values,
                         const std::string& flags, const std::string& data,
                         const std::string& counts) {
  std::string at;
  for (const double time : times)
    at += fmt::format("{}{}", at.empty() ? "" : ",", ticks(time));
  return "Default: 0\nKeyVer: 4009\n" + list("KeyTime", at) + list("KeyValueFloat", values) +
         list("KeyAttrFlags", flags) + list("KeyAttrDataFloat", data) +
         list("KeyAttrRefCount", counts);
}
// One whose keys are linear.
inline std::string linearCurve(const std::vector<double>& times, const std::string& values) {
  return curve(times, values, "4", "0,0,0,0", fmt::format("{}", times.size()));
}

// How a binary file is written.
struct FbxBinaryForm {
  std::uint32_t version = 7400;
  bool compress = false;
};

class FbxBinaryWriter {
 public:
  explicit FbxBinaryWriter(FbxBinaryForm form) : form_(form) {}

  std::string write(const FbxElement& root) {
    bytes_ = std::string("Kaydara FBX Binary  \0\x1a\0", 23);
    put(form_.version);
    for (const FbxElement& element : root.children)
      writeElement(element);
    bytes_.append(headerBytes(), '\0');
    return bytes_;
  }

 private:
  std::size_t headerBytes() const { return form_.version >= 7500 ? 25 : 13; }

  template <class T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void setLength(std::size_t at, std::size_t index, std::uint64_t value) {
    const std::size_t width = form_.version >= 7500 ? 8 : 4;
    std::memcpy(&bytes_[at + index * width], &value, width);
  }

  void writeElement(const FbxElement& element) {
    const std::size_t start = bytes_.size();
    bytes_.append(headerBytes() - 1, '\0');
    put(static_cast<std::uint8_t>(element.name.size()));
    bytes_ += element.name;
    const std::size_t values = bytes_.size();
    const bool isList = element.children.size() == 1 && element.children[0].name == "a";
    if (isList)
      writeArray(element.name, element.children[0].values);
    else
      for (const FbxValue& value : element.values)
        writeValue(value);
    setLength(start, 1, isList ? 1 : element.values.size());
    setLength(start, 2, bytes_.size() - values);
    if (!isList && !element.children.empty()) {
      for (const FbxElement& child : element.children)
        writeElement(child);
      bytes_.append(headerBytes(), '\0');
    }
    setLength(start, 0, bytes_.size());
  }

  static bool isWhole(const FbxValue& value) {
    return value.bytes.find_first_of(".e") == std::string_view::npos;
  }

  void writeValue(const FbxValue& value) {
    if (value.type == 'n' && isWhole(value)) {
      bytes_ += 'L';
      put(toInteger(value));
    } else if (value.type == 'n') {
      bytes_ += 'D';
      put(toReal(value));
    } else if (value.type == 'w') {
      bytes_ += 'C';
      bytes_ += value.bytes.front();
    } else {
      std::string text = toString(value);
      if (const std::size_t split = text.find("::"); split != std::string::npos)
        text = text.substr(split + 2) + std::string("\0\1", 2) + text.substr(0, split);
      bytes_ += 'S';
      put(static_cast<std::uint32_t>(text.size()));
      bytes_ += text;
    }
  }

  void writeArray(std::string_view name, const std::vector<FbxValue>& values) {
    std::string data;
    const auto add = [&](auto number) {
      data.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    const bool bits = name == "KeyAttrDataFloat";
    const bool whole = name.find("Index") != name.npos || name == "KeyAttrFlags" ||
                       name == "KeyAttrRefCount" || name == "Materials";
    for (const FbxValue& value : values)
      if (bits)
        add(toFloatOrBits(value));
      else if (whole)
        add(static_cast<std::int32_t>(toInteger(value)));
      else if (name == "KeyTime")
        add(toInteger(value));
      else
        add(toReal(value));
    bytes_ += bits ? 'f' : whole ? 'i' : name == "KeyTime" ? 'l' : 'd';
    put(static_cast<std::uint32_t>(values.size()));
    put(static_cast<std::uint32_t>(form_.compress ? 1 : 0));
    if (form_.compress) {
      std::string packed(::compressBound(static_cast<uLong>(data.size())), '\0');
      auto length = static_cast<uLongf>(packed.size());
      ::compress(reinterpret_cast<Bytef*>(packed.data()), &length,
                 reinterpret_cast<const Bytef*>(data.data()), static_cast<uLong>(data.size()));
      data = packed.substr(0, length);
    }
    put(static_cast<std::uint32_t>(data.size()));
    bytes_ += data;
  }

  FbxBinaryForm form_;
  std::string bytes_;
};

// An ASCII file as a binary one.
inline std::string fbxBinary(std::string_view ascii, FbxBinaryForm form = {}) {
  return FbxBinaryWriter(form).write(parseFbxAscii(ascii));
}

// A strip with a bone at each end: model 1 with geometry 2, bones 3 and 4, skin 5. What its mesh
// and its skin hold besides.
inline FbxText skinnedStrip(const std::string& meshProperties = {}, const std::string& skin = {}) {
  FbxText file;
  file.model(1, "strip", "Mesh", meshProperties);
  file.object(2, "Geometry", "Geometry::strip", "Mesh", stripMesh(), 1);
  file.model(3, "left", "LimbNode");
  file.model(4, "right", "LimbNode", vector("Lcl Translation", 2, 0, 0), 3);
  file.object(5, "Deformer", "Deformer::", "Skin", skin, 2);
  const auto matrix = [](const char* name, double x) {
    return list(name, fmt::format("1,0,0,0,0,1,0,0,0,0,1,0,{},0,0,1", x));
  };
  file.object(6, "Deformer", "SubDeformer::", "Cluster",
              list("Indexes", "0,3,1") + list("Weights", "1,1,0.5") + matrix("Transform", 0) +
                  matrix("TransformLink", 0),
              5);
  file.object(7, "Deformer", "SubDeformer::", "Cluster",
              list("Indexes", "2,5,1") + list("Weights", "1,1,0.5") + matrix("Transform", -2) +
                  matrix("TransformLink", 2),
              5);
  file.connect(3, 6);
  file.connect(4, 7);
  return file;
}

} // namespace sinew::test
