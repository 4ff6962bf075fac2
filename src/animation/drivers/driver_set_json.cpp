#include "animation/drivers/driver_set.h"
#include "animation/drivers/prepared_drivers.h"
#include "animation/layers/field_reader.h"
#include "core/base64.h"

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
std::string bytesOf(const std::vector<T>& values) {
  return base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

Json jsonOf(const vec3& v) {
  return {v.x, v.y, v.z};
}
Json jsonOf(const quat& q) {
  return {q.x, q.y, q.z, q.w};
}
Json jsonOf(const Transform& t) {
  return {{"translation", jsonOf(t.translation)},
          {"rotation", jsonOf(t.rotation)},
          {"scale", jsonOf(t.scale)}};
}

Json jsonOf(const DriverInput& input);
Json jsonOf(const DriverKey& key);
Json jsonOf(const PoseDriver& driver);
Json jsonOf(const CorrectiveShape& shape);

template <class T>
Json jsonList(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values)
    list.push_back(jsonOf(value));
  return list;
}

Json jsonOf(const DriverInput& input) {
  Json json{{"joint", input.joint}, {"part", toJson(kPartField, input.part)}};
  if (input.part != RotationPart::whole) json["axis"] = jsonOf(input.axis);
  return json;
}

Json jsonOf(const DriverKey& key) {
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
  json["input"] = {{"joint", share.input.joint}, {"axis", jsonOf(share.input.axis)}};
  json["share"] = share.share;
}

Json jsonOf(const PoseDriver& driver) {
  Json json{{"name", driver.name}, {"on", driver.on}, {"kind", std::string(kindWord(driver))}};
  json["joints"] = driver.joints;
  json["morphs"] = driver.morphs;
  std::visit([&](const auto& kind) { write(kind, json); }, driver.kind);
  return json;
}

Json jsonOf(const CorrectiveShape& shape) {
  Json meshes = Json::array();
  for (const ShapeOffsets& offsets : shape.meshes)
    meshes.push_back({{"mesh", offsets.mesh},
                      {"vertex_count", offsets.vertexCount},
                      {"vertices", bytesOf(offsets.vertices)},
                      {"positions", bytesOf(offsets.positions)}});
  return {{"name", shape.name}, {"meshes", meshes}};
}

// One place in the file, with what is needed to read below it.
struct Place {
  const Model& model;
  std::string_view path;
  std::string where;

  FieldReader reader(const Json& json) const { return {json, path, where}; }
  Place below(const std::string& what) const {
    return {model, path, where.empty() ? what : where + ", " + what};
  }
};

// Calls each(element, its place) for the elements of a list.
template <class Each>
void readList(const Json* json, const Place& place, const char* what, const Each& each) {
  if (json == nullptr) return;
  if (!json->is_array()) throw inputError(place.path, place.where + " is not a list");
  std::size_t i = 0;
  for (const Json& element : *json)
    each(element, place.below(fmt::format("{} {}", what, ++i)));
}

// Numbers in a list; count 0: any number of them.
std::vector<float> readNumbers(const Json& json, const Place& place, std::size_t count = 0) {
  if (!json.is_array() || (count > 0 && json.size() != count))
    throw inputError(place.path, count > 0 ? fmt::format("{} is not {} numbers", place.where, count)
                                           : place.where + " is not a list of numbers");
  std::vector<float> out;
  try {
    for (const Json& element : json)
      out.push_back(number(element));
  } catch (const Wrong& wrong) {
    throw inputError(place.path, fmt::format("{}: a number {}", place.where, wrong.what));
  }
  return out;
}

vec3 readVector(const Json& json, const Place& place) {
  const std::vector<float> v = readNumbers(json, place, 3);
  return {v[0], v[1], v[2]};
}

quat readRotation(const Json& json, const Place& place) {
  const std::vector<float> q = readNumbers(json, place, 4);
  const quat rotation(q[3], q[0], q[1], q[2]);
  const float length = glm::length(rotation);
  if (!(length > 0.5f && length < 2.0f))
    throw inputError(place.path, place.where + " is not a unit quaternion");
  return std::abs(length - 1.0f) < 1e-6f ? rotation : glm::normalize(rotation);
}

Transform readTransform(const Json& json, const Place& place, const Transform& rest) {
  Transform out = rest;
  FieldReader reader = place.reader(json);
  if (const Json* part = reader.part("translation"))
    out.translation = readVector(*part, place.below("translation"));
  if (const Json* part = reader.part("rotation"))
    out.rotation = readRotation(*part, place.below("rotation"));
  if (const Json* part = reader.part("scale")) out.scale = readVector(*part, place.below("scale"));
  reader.rejectUnknown();
  return out;
}

DriverInput readInput(const Json& json, const Place& place) {
  DriverInput input;
  FieldReader reader = place.reader(json);
  reader.field({.name = "joint", .help = {}}, input.joint);
  reader.field(kPartField, input.part);
  if (const Json* axis = reader.part("axis")) {
    input.axis = readVector(*axis, place.below("axis"));
    if (!(glm::length(input.axis) > 1e-6f)) throw reader.fail("'axis' has no length");
    input.axis = glm::normalize(input.axis);
  }
  reader.rejectUnknown();
  return input;
}

DriverKey readKey(const Json& json, const Place& place, const PoseDriver& driver) {
  DriverKey key;
  FieldReader reader = place.reader(json);
  reader.field({.name = "name", .help = {}}, key.name);
  readList(reader.part("rotations"), place, "rotation", [&](const Json& each, const Place& at) {
    key.rotations.push_back(readRotation(each, at));
  });
  readList(reader.part("joints"), place, "joint", [&](const Json& each, const Place& at) {
    Transform rest;
    if (key.joints.size() < driver.joints.size())
      if (const auto node = findNode(place.model.hierarchy, driver.joints[key.joints.size()]))
        rest = place.model.hierarchy.nodes[*node].rest;
    key.joints.push_back(readTransform(each, at, rest));
  });
  if (const Json* morphs = reader.part("morphs"))
    key.morphs = readNumbers(*morphs, place.below("'morphs'"));
  reader.rejectUnknown();
  return key;
}

std::vector<DriverInput> readInputs(FieldReader& reader, const Place& place) {
  std::vector<DriverInput> inputs;
  readList(reader.part("inputs"), place, "input",
           [&](const Json& each, const Place& at) { inputs.push_back(readInput(each, at)); });
  return inputs;
}

RbfDriver readRbf(FieldReader& reader, const Place& place, const PoseDriver& driver) {
  RbfDriver rbf;
  rbf.inputs = readInputs(reader, place);
  reader.field(kFalloffField, rbf.shape.falloff);
  reader.field(kNormalizeField, rbf.shape.normalize);
  reader.field({.name = "radius", .help = {}}, rbf.shape.radius);
  reader.field({.name = "smoothing", .help = {}}, rbf.shape.smoothing);
  if (rbf.shape.radius < 0.0f || rbf.shape.radius > 100.0f)
    throw reader.fail(fmt::format("'radius' is {}; it goes from 0 to 100", rbf.shape.radius));
  if (rbf.shape.smoothing < 0.0f || rbf.shape.smoothing > 100.0f)
    throw reader.fail(fmt::format("'smoothing' is {}; it goes from 0 to 100", rbf.shape.smoothing));
  readList(reader.part("keys"), place, "key", [&](const Json& each, const Place& at) {
    rbf.keys.push_back(readKey(each, at, driver));
  });
  if (rbf.keys.size() > 1000) throw reader.fail("has more than 1000 keys");
  return rbf;
}

PolynomialDriver readPolynomial(FieldReader& reader, const Place& place) {
  PolynomialDriver polynomial;
  polynomial.inputs = readInputs(reader, place);
  reader.field({.name = "degree", .help = {}}, polynomial.degree);
  readList(reader.part("coefficients"), place, "list", [&](const Json& each, const Place& at) {
    polynomial.coefficients.push_back(readNumbers(each, at));
  });
  return polynomial;
}

ShareDriver readShare(FieldReader& reader, const Place& place, RotationPart part) {
  ShareDriver share;
  if (const Json* input = reader.part("input"))
    share.input = readInput(*input, place.below("'input'"));
  share.input.part = part;
  reader.field({.name = "share", .help = {}}, share.share);
  if (std::abs(share.share) > 10.0f)
    throw reader.fail(fmt::format("'share' is {}; it goes from -10 to 10", share.share));
  return share;
}

PoseDriver readDriver(const Json& json, const Place& place) {
  PoseDriver driver;
  FieldReader reader = place.reader(json);
  std::string kind;
  reader.field({.name = "name", .help = {}}, driver.name);
  reader.field({.name = "on", .help = {}}, driver.on);
  reader.field({.name = "kind", .help = {}}, kind);
  reader.field({.name = "joints", .help = {}}, driver.joints);
  reader.field({.name = "morphs", .help = {}}, driver.morphs);
  if (kind == "rbf")
    driver.kind = readRbf(reader, place, driver);
  else if (kind == "polynomial")
    driver.kind = readPolynomial(reader, place);
  else if (kind == "twist")
    driver.kind = readShare(reader, place, RotationPart::twist);
  else if (kind == "swing")
    driver.kind = readShare(reader, place, RotationPart::swing);
  else if (kind == "rotation")
    driver.kind = readShare(reader, place, RotationPart::whole);
  else
    throw reader.fail(kind.empty() ? "has no 'kind'" : fmt::format("'kind' is '{}'", kind),
                      fmt::format("one of {}", fmt::join(kKinds, ", ")));
  reader.rejectUnknown();
  if (const std::string problem = problemOf(place.model, driver); !problem.empty())
    throw inputError(place.path, place.where + ": " + problem);
  return driver;
}

template <class T>
std::vector<T> readBytes(FieldReader& reader, const char* name) {
  std::string text;
  reader.field({.name = name, .help = {}}, text);
  const std::optional<std::string> bytes = fromBase64(text);
  if (!bytes || bytes->size() % sizeof(T) != 0)
    throw reader.fail(fmt::format("'{}' is no base64 of whole values", name));
  std::vector<T> values(bytes->size() / sizeof(T));
  if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), bytes->data(), bytes->size());
  return values;
}

ShapeOffsets readOffsets(const Json& json, const Place& place) {
  ShapeOffsets out;
  FieldReader reader = place.reader(json);
  int mesh = -1;
  int vertexCount = -1;
  reader.field({.name = "mesh", .help = {}}, mesh);
  reader.field({.name = "vertex_count", .help = {}}, vertexCount);
  if (mesh < 0 || vertexCount < 0) throw reader.fail("has no 'mesh' and 'vertex_count'");
  out.mesh = static_cast<std::uint32_t>(mesh);
  out.vertexCount = static_cast<std::uint32_t>(vertexCount);
  out.vertices = readBytes<std::uint32_t>(reader, "vertices");
  out.positions = readBytes<vec3>(reader, "positions");
  reader.rejectUnknown();
  if (out.vertices.size() != out.positions.size())
    throw reader.fail(
        fmt::format("has {} vertices and {} positions", out.vertices.size(), out.positions.size()));
  for (std::size_t i = 0; i < out.vertices.size(); ++i) {
    if (i > 0 && out.vertices[i] <= out.vertices[i - 1])
      throw reader.fail("'vertices' do not rise");
    if (!isFinite(out.positions[i]))
      throw reader.fail(fmt::format("position {} is not finite", i + 1));
  }
  return out;
}

CorrectiveShape readShape(const Json& json, const Place& place) {
  CorrectiveShape shape;
  FieldReader reader = place.reader(json);
  reader.field({.name = "name", .help = {}}, shape.name);
  readList(reader.part("meshes"), place, "mesh", [&](const Json& each, const Place& at) {
    shape.meshes.push_back(readOffsets(each, at));
  });
  reader.rejectUnknown();
  if (shape.name.empty()) throw reader.fail("has no 'name'");
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
  if (!json.is_object() || json.value("sinew", Json()) != "drivers")
    throw inputError(path, R"(no pose drivers: expected {"sinew": "drivers", "drivers": [...]})");
  DriverSet set;
  const Place place{model, path, {}};
  FieldReader reader(json, path, "the file");
  reader.part("sinew");
  readList(reader.part("shapes"), place, "shape",
           [&](const Json& each, const Place& at) { set.shapes.push_back(readShape(each, at)); });
  try {
    addShapes(model, set.shapes);
  } catch (const Error& error) {
    throw inputError(path, error.what());
  }
  readList(reader.part("drivers"), place, "driver",
           [&](const Json& each, const Place& at) { set.drivers.push_back(readDriver(each, at)); });
  reader.rejectUnknown();
  return set;
}

} // namespace sinew
