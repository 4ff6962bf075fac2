// Compressed files against their uncompressed twins.
#include "core/random.h"
#include "import/gltf/gltf_test_file.h"
#include "import/gltf/meshopt.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <meshoptimizer.h>

#include <array>
#include <cmath>
#include <cstring>
#include <draco/compression/encode.h>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr std::size_t kVertices = 4;

Model readBinary(const GltfFile& file) {
  const TempFolder folder;
  return importModel(folder.write("m.glb", file.glb()));
}

void compressView(GltfFile& file, std::size_t view, const std::vector<unsigned char>& bytes,
                  std::size_t count, std::size_t stride, const char* mode,
                  const char* filter = "NONE") {
  const std::size_t at = file.addView({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  GltfFile::Json extension = file.json["bufferViews"][at];
  extension.update({{"byteStride", stride}, {"mode", mode}, {"filter", filter}, {"count", count}});
  GltfFile::Json& source = file.json["bufferViews"][view];
  source["buffer"] = 1; // the fallback, which is nowhere
  source["extensions"]["EXT_meshopt_compression"] = extension;
}

// The positions' and the indices' views of the square, compressed.
GltfFile meshoptFile() {
  GltfFile file;
  const float positions[] = {0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0};
  std::vector<unsigned char> bytes(meshopt_encodeVertexBufferBound(kVertices, 12));
  bytes.resize(meshopt_encodeVertexBuffer(bytes.data(), bytes.size(), positions, kVertices, 12));
  compressView(file, 0, bytes, kVertices, 12, "ATTRIBUTES");
  const unsigned int indices[] = {0, 1, 2, 0, 2, 3};
  bytes.assign(meshopt_encodeIndexBufferBound(6, kVertices), 0);
  bytes.resize(meshopt_encodeIndexBuffer(bytes.data(), bytes.size(), indices, 6));
  compressView(file, 1, bytes, 6, 2, "TRIANGLES");
  file.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  file.json["buffers"] = {
      {{"byteLength", file.bytes.size()}},
      {{"byteLength", 60}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}};
  return file;
}

// As many corners in the same places, whatever the order.
void checkSameTriangles(const Model& a, const Model& b, float tolerance) {
  REQUIRE(a.meshes.size() == 1);
  REQUIRE(b.meshes.size() == 1);
  CHECK(a.meshes[0].triangles.size() == b.meshes[0].triangles.size());
  REQUIRE(a.meshes[0].positions.size() == b.meshes[0].positions.size());
  for (const vec3& p : a.meshes[0].positions) {
    float nearest = 1e9f;
    for (const vec3& q : b.meshes[0].positions)
      nearest = std::min(nearest, glm::distance(p, q));
    CHECK(nearest <= tolerance);
  }
}

} // namespace

TEST_CASE("glTF: buffer views that meshoptimizer compressed") {
  GltfFile file = meshoptFile();
  checkSameTriangles(readBinary(GltfFile()), readBinary(file), 0.0f);
  file.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["count"] = 400;
  const TempFolder folder;
  CHECK(contains(importError(folder.write("m.glb", file.glb())).what(), "are damaged"));
}

TEST_CASE("glTF: filters of meshoptimizer") {
  GltfFile file = meshoptFile();
  const float positions[] = {0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0};
  std::vector<std::uint32_t> filtered(12);
  meshopt_encodeFilterExp(filtered.data(), kVertices, 12, 15, positions);
  std::vector<unsigned char> bytes(meshopt_encodeVertexBufferBound(kVertices, 12));
  bytes.resize(
      meshopt_encodeVertexBuffer(bytes.data(), bytes.size(), filtered.data(), kVertices, 12));
  file.json["bufferViews"][0].erase("extensions");
  compressView(file, 0, bytes, kVertices, 12, "ATTRIBUTES", "EXPONENTIAL");

  // Rotations as a quaternion filter has them: four normalised shorts.
  const float rotations[] = {0, 0, 0, 1, 0, 0, std::sqrt(0.5f), std::sqrt(0.5f)};
  std::vector<std::int16_t> shorts(8);
  meshopt_encodeFilterQuat(shorts.data(), 2, 8, 16, rotations);
  bytes.assign(meshopt_encodeVertexBufferBound(2, 8), 0);
  bytes.resize(meshopt_encodeVertexBuffer(bytes.data(), bytes.size(), shorts.data(), 2, 8));
  const std::size_t times = file.add<float>({0, 1}, 5126, "SCALAR");
  const std::size_t output = file.add<std::int16_t>(std::vector<std::int16_t>(8), 5122, "VEC4");
  file.json["accessors"][output]["normalized"] = true;
  compressView(file, file.json["accessors"][output]["bufferView"], bytes, 2, 8, "ATTRIBUTES",
               "QUATERNION");
  file.json["animations"] = {
      {{"samplers", {{{"input", times}, {"output", output}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "rotation"}}}}}}}};
  file.json["buffers"][0]["byteLength"] = file.bytes.size();
  const Model model = readBinary(file);
  checkSameTriangles(readBinary(GltfFile()), model, 1e-4f);
  const quat turned = model.clips.at(0).channels.at(0).rotation.values.at(1);
  CHECK(std::abs(glm::dot(turned, quat(std::sqrt(0.5f), 0, 0, std::sqrt(0.5f)))) > 0.99999f);
}

TEST_CASE("glTF: quaternions of meshoptimizer are rounded as the specification has them") {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    std::array<std::int16_t, 4> coded{};
    const auto bits = 8 + random.below(9);
    const int one = (1 << (bits - 1)) - 1;
    for (std::size_t c = 0; c < 3; ++c)
      coded[c] = static_cast<std::int16_t>(
          std::lround(random.uniform(-0.7f, 0.7f) * static_cast<float>(one)));
    const std::uint32_t left = random.below(4);
    coded[3] = static_cast<std::int16_t>((one & ~3) | static_cast<int>(left));
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), coded.data(), 8);
    decodeMeshoptQuaternions(bytes, 1);
    std::array<std::int16_t, 4> decoded{};
    std::memcpy(decoded.data(), bytes.data(), 8);
    // The length is 1 but for rounding, and the others' ratios are those of the coded numbers.
    long double squares = 0.0L;
    for (const std::int16_t value : decoded)
      squares += static_cast<long double>(value) * value / (32767.0L * 32767.0L);
    CHECK(std::abs(static_cast<double>(std::sqrt(squares)) - 1.0) < 5e-5);
    for (std::size_t c = 0; c < 3; ++c) {
      const long double exact = 32767.0L * coded[c] / (one | 3) / std::sqrt(2.0L);
      CHECK(std::abs(static_cast<double>(decoded[(left + 1 + c) % 4] - exact)) <= 0.5 + 1e-9);
    }
    // As the library has it, to a unit.
    std::array<std::int16_t, 4> theirs = coded;
    meshopt_decodeFilterQuat(theirs.data(), 1, 8);
    for (std::size_t c = 0; c < 4; ++c)
      CHECK(std::abs(theirs[c] - decoded[c]) <= 1);
  }
}

TEST_CASE("glTF: geometry that Draco compressed") {
  const float positions[] = {0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0};
  const std::uint8_t joints[] = {0, 1, 0, 1};
  draco::Mesh mesh;
  mesh.set_num_points(kVertices);
  mesh.SetNumFaces(2);
  mesh.SetFace(draco::FaceIndex(0),
               {draco::PointIndex(0), draco::PointIndex(1), draco::PointIndex(2)});
  mesh.SetFace(draco::FaceIndex(1),
               {draco::PointIndex(0), draco::PointIndex(2), draco::PointIndex(3)});
  const auto add = [&](draco::GeometryAttribute::Type type, std::uint8_t components,
                       draco::DataType kind, std::int64_t stride, const auto* values) {
    draco::GeometryAttribute attribute;
    attribute.Init(type, nullptr, components, kind, false, stride, 0);
    const int id = mesh.AddAttribute(attribute, true, kVertices);
    for (std::uint32_t v = 0; v < kVertices; ++v)
      mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(v),
                                            values + v * static_cast<std::uint32_t>(components));
    return mesh.attribute(id)->unique_id();
  };
  const auto position =
      add(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32, 12, positions);
  const std::uint8_t fourJoints[] = {joints[0], 0, 0, 0, joints[1], 0, 0, 0,
                                     joints[2], 0, 0, 0, joints[3], 0, 0, 0};
  const auto joint = add(draco::GeometryAttribute::GENERIC, 4, draco::DT_UINT8, 4, fourJoints);
  draco::Encoder encoder;
  draco::EncoderBuffer buffer;
  REQUIRE(encoder.EncodeMeshToBuffer(mesh, &buffer).ok());

  GltfFile file;
  file.primitive()["extensions"]["KHR_draco_mesh_compression"] = {
      {"bufferView", file.addView({buffer.data(), buffer.size()})},
      {"attributes", {{"POSITION", position}, {"JOINTS_0", joint}}}};
  file.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  for (const std::size_t accessor : {0u, 1u}) // as encoders write them
    file.json["accessors"][accessor].erase("bufferView");
  checkSameTriangles(readBinary(GltfFile()), readBinary(file), 1e-6f);

  // Draco's order of vertices is its own, so weights that are not in it would not fit: all joints
  // are, and weights of one are the same for all.
  file.primitive()["attributes"]["JOINTS_0"] =
      file.add<std::uint8_t>(std::vector<std::uint8_t>(16), 5121, "VEC4");
  file.primitive()["attributes"]["WEIGHTS_0"] =
      file.add<float>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 5126, "VEC4");
  file.json["skins"] = {{{"joints", {1, 2}}}};
  file.json["nodes"][0]["skin"] = 0;
  file.json["nodes"].push_back({{"translation", {0, 0, 0}}});
  file.json["nodes"].push_back({{"translation", {0, 0, 0}}});
  file.json["scenes"][0]["nodes"] = {0, 1, 2};
  const Model skinned = readBinary(file);
  const Mesh& read = skinned.meshes.at(0);
  REQUIRE(read.skin);
  for (std::size_t v = 0; v < read.positions.size(); ++v)
    for (std::size_t i = 0; i < kVertices; ++i)
      if (glm::distance(read.positions[v],
                        vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2])) < 1e-5f)
        CHECK(read.influences.of(v)[0].joint == joints[i]);

  // The compressed bytes cut short.
  GltfFile::Json& view =
      file.json["bufferViews"]
               [file.primitive()["extensions"]["KHR_draco_mesh_compression"]["bufferView"]
                    .get<std::size_t>()];
  view["byteLength"] = 20;
  const TempFolder folder;
  CHECK(contains(importError(folder.write("m.glb", file.glb())).what(), "Draco: "));
}

namespace {

std::string fromHex(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return out;
}

// By meshoptimizer 1.2: 20 elements of a float, two shorts and four bytes, whose channels are coded
// in the format's three ways.
const std::string kVersion1Stream =
    fromHex("a168b75b0100010f020262e262f1317131fe0f000f010301005858585858585858585858585858585858"
            "5858052aaaaaaaaa0000000002060a0e12161a1e22262a2e32363a3e42464a001a1a1a1a1a1a1a1a1a1a"
            "1a1a1a1a1a1a1a1a1a060223223223223223ae0000000305155555555500000000000000000000000000"
            "00803fe8030000000700ff520100");

} // namespace

TEST_CASE("glTF: attribute streams of KHR_meshopt_compression") {
  std::string wanted;
  for (int i = 0; i < 20; ++i) {
    const float first = 1.0f + static_cast<float>(i) / 8.0f;
    const std::uint16_t shorts[2] = {static_cast<std::uint16_t>(1000 + 300 * i),
                                     static_cast<std::uint16_t>(i * i)};
    const std::uint8_t bytes[4] = {static_cast<std::uint8_t>(13 * i), 7,
                                   static_cast<std::uint8_t>(i % 3),
                                   static_cast<std::uint8_t>(255 - i)};
    wanted.append(reinterpret_cast<const char*>(&first), 4);
    wanted.append(reinterpret_cast<const char*>(shorts), 4);
    wanted.append(reinterpret_cast<const char*>(bytes), 4);
  }
  CHECK(isMeshoptVersion1(kVersion1Stream));
  CHECK(decodeMeshoptVersion1(kVersion1Stream, 20, 12) == wanted);
  // Another length, or an unknown way of coding, is refused.
  CHECK(!decodeMeshoptVersion1(kVersion1Stream, 21, 12));
  for (std::size_t length = 0; length < kVersion1Stream.size(); ++length)
    CHECK(!decodeMeshoptVersion1(kVersion1Stream.substr(0, length), 20, 12));
  for (const char channel : {'\x03', '\x11'}) {
    std::string other = kVersion1Stream;
    other.back() = channel;
    CHECK(!decodeMeshoptVersion1(other, 20, 12));
  }
  // Colours, by the same library.
  auto colors = decodeMeshoptVersion1(
      fromHex(
          "a1ff003ecd0a00841fde00bcd290007d7ffe00000000000000000000000000000000000000905ff1ff00"),
      4, 4);
  REQUIRE(colors);
  decodeMeshoptColors(*colors, 4, 4);
  CHECK(*colors == fromHex("fe8140ff01febf802100ff004d4d4dff"));
}

TEST_CASE("glTF: KHR_meshopt_compression is read as EXT_meshopt_compression is, but not both") {
  GltfFile file = meshoptFile();
  file.json["extensionsRequired"] = {"KHR_meshopt_compression"};
  for (GltfFile::Json& view : file.json["bufferViews"])
    if (view.contains("extensions"))
      view["extensions"] = {
          {"KHR_meshopt_compression", view["extensions"]["EXT_meshopt_compression"]}};
  checkSameTriangles(readBinary(GltfFile()), readBinary(file), 0.0f);
  GltfFile::Json& both = file.json["bufferViews"][0]["extensions"];
  both["EXT_meshopt_compression"] = both["KHR_meshopt_compression"];
  const TempFolder folder;
  CHECK(contains(importError(folder.write("m.glb", file.glb())).what(), "both as KHR and as EXT"));
}
