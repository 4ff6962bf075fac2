#include "animation/drivers/driver_set.h"
#include "animation/drivers/prepared_drivers.h"
#include "animation/layers/field_json.h"
#include "core/base64.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

namespace sinew {
namespace {

using namespace std::string_view_literals;

constexpr std::array kParts = {"whole"sv, "swing"sv, "twist"sv};
constexpr std::array kFalloffs = {"gaussian"sv, "thin-plate"sv, "linear"sv};
constexpr std::array kNormalize = {"above-one"sv, "always"sv, "never"sv};
constexpr std::array kKinds = {"rbf"sv, "polynomial"sv, "twist"sv, "swing"sv, "rotation"sv};

const FieldInfo kPartField{.name = "part", .help = {}, .choices = kParts};
const FieldInfo kFalloffField{.name = "falloff", .help = {}, .choices = kFalloffs};
const FieldInfo kNormalizeField{.name = "normalize", .help = {}, .choices = kNormalize};

template <class T>
std::string toBase64(const std::vector<T>& values) {
  return base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

Json toJson(const vec3& v) {
  return {v.x, v.y, v.z};
}
Json toJson(const quat& q) {
  return {q.x, q.y, q.z, q.w};
}
Json toJson(const Transform& t) {
  return {{"translation", toJson(t.translation)},
          {"rotation", toJson(t.rotation)},
          {"scale", toJson(t.scale)}};
}

Json toJson(const DriverInput& input);
Json toJson(const DriverKey& key);
Json toJson(const PoseDriver& driver);
Json toJson(const CorrectiveShape& shape);

template <class T>
Json jsonList(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values)
    list.push_back(toJson(value));
  return list;
}

Json toJson(const DriverInput& input) {
  Json json{{"joint", input.joint}, {"part", toJson(kPartField, input.part)}};
  if (input.part != RotationPart::whole) json["axis"] = toJson(input.axis);
  return json;
}

Json toJson(const DriverKey& key) {
  return {{"name", key.name},
          {"rotations", jsonList(key.rotations)},
          {"joints", jsonList(key.joints)},
          {"morphs", key.morphs}};
}

void write(const RbfDriver& rbf, Json& json) {
  json["inputs"] = jsonList(rbf.inputs);
  json["falloff"] = toJson(kFalloffField, rbf.shape.falloff);
  json["normalize"] = toJson(kNormalizeField, rbf.shape.normalize);
  json["radius"] = rbf.shape.radius;
  json["smoothing"] = rbf.shape.smoothing;
  json["keys"] = jsonList(rbf.keys);
}

void write(const PolynomialDriver& polynomial, Json& json) {
  json["inputs"] = jsonList(polynomial.inputs);
  json["degree"] = polynomial.degree;
  json["coefficients"] = polynomial.coefficients;
}

void write(const ShareDriver& share, Json& json) {
  json["input"] = {{"joint", share.input.joint}, {"axis", toJson(share.input.axis)}};
  json["share"] = share.share;
}

Json toJson(const PoseDriver& driver) {
  Json json{{"name", driver.name}, {"on", driver.on}, {"kind", std::string(kindWord(driver))}};
  json["joints"] = driver.joints;
  json["morphs"] = driver.morphs;
  std::visit([&](const auto& kind) { write(kind, json); }, driver.kind);
  return json;
}

Json toJson(const CorrectiveShape& shape) {
  Json meshes = Json::array();
  for (const ShapeOffsets& offsets : shape.meshes)
    meshes.push_back({{"mesh", offsets.mesh},
                      {"vertex_count", offsets.vertexCount},
                      {"vertices", toBase64(offsets.vertices)},
                      {"positions", toBase64(offsets.positions)}});
  return {{"name", shape.name}, {"meshes", meshes}};
}

Transform readTransform(const JsonValue& value, const Transform& rest) {
  Transform out = rest;
  JsonObject object(value);
  object.readIfThere("translation", out.translation);
  object.readIfThere("rotation", out.rotation);
  object.readIfThere("scale", out.scale);
  object.rejectUnknown();
  return out;
}

DriverInput readInput(const JsonValue& value) {
  DriverInput input;
  JsonObject object(value);
  object.readIfThere("joint", input.joint);
  readField(object, kPartField, input.part);
  if (const auto axis = object.find("axis")) {
    input.axis = axis->vector();
    if (!(glm::length(input.axis) > 1e-6f)) throw axis->wrong("has no length");
    input.axis = glm::normalize(input.axis);
  }
  object.rejectUnknown();
  return input;
}

DriverKey readKey(const Model& model, const JsonValue& value, const PoseDriver& driver) {
  DriverKey key;
  JsonObject object(value);
  object.readIfThere("name", key.name);
  for (const JsonValue& each : object.list("rotations", "rotation"))
    key.rotations.push_back(each.rotation());
  for (const JsonValue& each : object.list("joints", "joint")) {
    Transform rest;
    if (key.joints.size() < driver.joints.size())
      if (const auto node = findNode(model.hierarchy, driver.joints[key.joints.size()]))
        rest = model.hierarchy.nodes[*node].rest;
    key.joints.push_back(readTransform(each, rest));
  }
  object.readIfThere("morphs", key.morphs);
  object.rejectUnknown();
  return key;
}

std::vector<DriverInput> readInputs(JsonObject& driver) {
  std::vector<DriverInput> inputs;
  for (const JsonValue& each : driver.list("inputs", "input"))
    inputs.push_back(readInput(each));
  return inputs;
}

// Leaves `out` as it is where the key is missing.
void readWithin(JsonObject& object, const char* key, float minimum, float maximum, float& out) {
  if (const auto value = object.find(key)) out = value->number(minimum, maximum);
}

RbfDriver readRbf(const Model& model, JsonObject& object, const PoseDriver& driver) {
  RbfDriver rbf;
  rbf.inputs = readInputs(object);
  readField(object, kFalloffField, rbf.shape.falloff);
  readField(object, kNormalizeField, rbf.shape.normalize);
  readWithin(object, "radius", 0.0f, 100.0f, rbf.shape.radius);
  readWithin(object, "smoothing", 0.0f, 100.0f, rbf.shape.smoothing);
  for (const JsonValue& each : object.list("keys", "key"))
    rbf.keys.push_back(readKey(model, each, driver));
  if (rbf.keys.size() > 1000) throw object.wrong("has more than 1000 keys");
  return rbf;
}

PolynomialDriver readPolynomial(JsonObject& object) {
  PolynomialDriver polynomial;
  polynomial.inputs = readInputs(object);
  object.readIfThere("degree", polynomial.degree);
  for (const JsonValue& each : object.list("coefficients", "list"))
    polynomial.coefficients.push_back(each.numbers());
  return polynomial;
}

ShareDriver readShare(JsonObject& object, RotationPart part) {
  ShareDriver share;
  if (const auto input = object.find("input")) share.input = readInput(*input);
  share.input.part = part;
  readWithin(object, "share", -10.0f, 10.0f, share.share);
  return share;
}

PoseDriver readDriver(const Model& model, const JsonValue& value) {
  PoseDriver driver;
  JsonObject object(value);
  std::string kind;
  object.readIfThere("name", driver.name);
  object.readIfThere("on", driver.on);
  object.readIfThere("kind", kind);
  object.readIfThere("joints", driver.joints);
  object.readIfThere("morphs", driver.morphs);
  if (kind == "rbf")
    driver.kind = readRbf(model, object, driver);
  else if (kind == "polynomial")
    driver.kind = readPolynomial(object);
  else if (kind == "twist")
    driver.kind = readShare(object, RotationPart::twist);
  else if (kind == "swing")
    driver.kind = readShare(object, RotationPart::swing);
  else if (kind == "rotation")
    driver.kind = readShare(object, RotationPart::whole);
  else
    throw object.wrong(kind.empty() ? "has no 'kind'" : fmt::format("'kind' is '{}'", kind),
                       fmt::format("one of {}", fmt::join(kKinds, ", ")));
  object.rejectUnknown();
  if (const std::string problem = findProblem(model, driver); !problem.empty())
    throw inputError(value.path(), value.name() + ": " + problem);
  return driver;
}

template <class T>
std::vector<T> readBytes(JsonObject& object, const char* name) {
  std::string text;
  object.readIfThere(name, text);
  const std::optional<std::string> bytes = fromBase64(text);
  if (!bytes || bytes->size() % sizeof(T) != 0)
    throw object.wrong(fmt::format("'{}' is no base64 of whole values", name));
  std::vector<T> values(bytes->size() / sizeof(T));
  if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), bytes->data(), bytes->size());
  return values;
}

ShapeOffsets readOffsets(const JsonValue& value) {
  ShapeOffsets out;
  JsonObject object(value);
  int mesh = -1;
  int vertexCount = -1;
  object.readIfThere("mesh", mesh);
  object.readIfThere("vertex_count", vertexCount);
  if (mesh < 0 || vertexCount < 0) throw object.wrong("has no 'mesh' and 'vertex_count'");
  out.mesh = static_cast<std::uint32_t>(mesh);
  out.vertexCount = static_cast<std::uint32_t>(vertexCount);
  out.vertices = readBytes<std::uint32_t>(object, "vertices");
  out.positions = readBytes<vec3>(object, "positions");
  object.rejectUnknown();
  if (out.vertices.size() != out.positions.size())
    throw object.wrong(
        fmt::format("has {} vertices and {} positions", out.vertices.size(), out.positions.size()));
  for (std::size_t i = 0; i < out.vertices.size(); ++i) {
    if (i > 0 && out.vertices[i] <= out.vertices[i - 1])
      throw object.wrong("'vertices' do not rise");
    if (!isFinite(out.positions[i]))
      throw object.wrong(fmt::format("position {} is not finite", i + 1));
  }
  return out;
}

CorrectiveShape readShape(const JsonValue& value) {
  CorrectiveShape shape;
  JsonObject object(value);
  object.readIfThere("name", shape.name);
  for (const JsonValue& each : object.list("meshes", "mesh"))
    shape.meshes.push_back(readOffsets(each));
  object.rejectUnknown();
  if (shape.name.empty()) throw object.wrong("has no 'name'");
  return shape;
}

} // namespace

std::string driverSetToJson(const DriverSet& set) {
  return Json{{"sinew", "drivers"},
              {"drivers", jsonList(set.drivers)},
              {"shapes", jsonList(set.shapes)}}
             .dump(1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

DriverSet driverSetFromJson(Model& model, std::string_view text, std::string_view path) {
  const Json json = parseJson(text, path);
  JsonObject object = readDocument(
      json, path, "drivers", R"(no pose drivers: expected {"sinew": "drivers", "drivers": [...]})");
  DriverSet set;
  for (const JsonValue& each : object.list("shapes", "shape"))
    set.shapes.push_back(readShape(each));
  try {
    addShapes(model, set.shapes);
  } catch (const Error& error) {
    throw inputError(path, error.what());
  }
  for (const JsonValue& each : object.list("drivers", "driver"))
    set.drivers.push_back(readDriver(model, each));
  object.rejectUnknown();
  return set;
}

} // namespace sinew
