#include "import/fbx/steps.h"

#include <glm/common.hpp>
#include <glm/trigonometric.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMillimetresPerInch = 25.4;
constexpr double kOrthoUnits = 30.0; // what an orthographic camera sees at a zoom of 1
constexpr double kMaxLight = 1e9;

// Cameras look along +X of their model, lights shine along -Y.
const quat kNodeFromCamera = glm::angleAxis(-glm::half_pi<float>(), vec3(0, 1, 0));
const quat kNodeFromLight = glm::angleAxis(-glm::half_pi<float>(), vec3(1, 0, 0));

double positiveOr(double value, double otherwise) {
  return value > 0.0 && value < 1e12 ? value : otherwise;
}

double clampedRadians(double degrees, double otherwise, double max) {
  return glm::radians(std::clamp(std::isfinite(degrees) ? degrees : otherwise, 0.0, max));
}

// How the picture lies in the film (FbxCamera::EGateFit).
enum class GateFit { none, vertical, horizontal, fill, overscan };

class CameraReader {
 public:
  CameraReader(FbxProperties properties, bool isByBlender)
      : p_(std::move(properties)), isByBlender_(isByBlender),
        filmWidth_(positive("FilmWidth", 0.816)), filmHeight_(positive("FilmHeight", 0.612)) {
    const double width = positive("AspectWidth", positive("AspectW", 0.0));
    const double height = positive("AspectHeight", positive("AspectH", 0.0));
    aspect_ = width > 0.0 && height > 0.0 ? width / height : filmWidth_ / filmHeight_;
    fitsWidth_ = fitsWidth();
  }

  SceneCamera read() const {
    SceneCamera out;
    out.isOrthographic = p_.integer("CameraProjectionType", 0) == 1;
    out.aspect = static_cast<float>(aspect_);
    out.fieldOfView = static_cast<float>(std::clamp(verticalAngle(), 1e-3, 3.14));
    // Blender writes the longer side of what it sees.
    const double zoom = positive("OrthoZoom", 1.0);
    const double width = zoom * kOrthoUnits;
    out.height = static_cast<float>(isByBlender_ ? zoom / std::max(1.0, aspect_)
                                    : fitsWidth_ ? width / aspect_
                                                 : width);
    const double near = positive("NearPlane", 10.0);
    out.nearPlane = static_cast<float>(near);
    if (const double far = positive("FarPlane", 4000.0); far > near)
      out.farPlane = static_cast<float>(far);
    out.nodeFromCamera = kNodeFromCamera;
    return out;
  }

 private:
  double positive(const char* name, double otherwise) const {
    return positiveOr(p_.real(name, otherwise), otherwise);
  }

  // Whether the picture is as wide as the film, rather than as high.
  bool fitsWidth() const {
    switch (static_cast<GateFit>(p_.integer("GateFit", 0))) {
    case GateFit::horizontal:
      return true;
    case GateFit::fill:
      return aspect_ > filmWidth_ / filmHeight_;
    case GateFit::overscan:
      return aspect_ < filmWidth_ / filmHeight_;
    default:
      return false;
    }
  }

  // The vertical angle, by what the file states the angle with (FbxCamera::EApertureMode).
  double verticalAngle() const {
    const double angle = clampedRadians(p_.real("FieldOfView", 25.114999), 25.114999, 179.0);
    switch (p_.integer("ApertureMode", 2)) {
    case 0: // both
      return clampedRadians(p_.real("FieldOfViewY", 40.0), 40.0, 179.0);
    case 1: // horizontal
      return 2.0 * std::atan(std::tan(0.5 * angle) / aspect_);
    case 3: { // focal length
      const double height = fitsWidth_ ? filmWidth_ / aspect_ : filmHeight_;
      return 2.0 *
             std::atan(0.5 * height * kMillimetresPerInch / positive("FocalLength", 34.893271));
    }
    default: // vertical
      return angle;
    }
  }

  FbxProperties p_;
  bool isByBlender_;
  double filmWidth_, filmHeight_; // inches
  double aspect_ = 1.0;           // width over height of the picture
  bool fitsWidth_ = false;
};

// FbxLight::EType
constexpr std::int64_t kPoint = 0, kDirectional = 1, kSpot = 2;

SceneLight readLight(const FbxProperties& p) {
  SceneLight out;
  const std::int64_t type = p.integer("LightType", kPoint);
  out.kind = type == kDirectional ? LightKind::directional
             : type == kSpot      ? LightKind::spot
                                  : LightKind::point;
  const glm::dvec3 color = p.vector("Color", glm::dvec3(1.0));
  for (int i = 0; i < 3; ++i)
    out.color[i] =
        static_cast<float>(std::isfinite(color[i]) ? std::clamp(color[i], 0.0, 1.0) : 1.0);
  // The intensity is in percent, without a unit.
  const double intensity = p.flag("CastLight", true) ? 0.01 * p.real("Intensity", 100.0) : 0.0;
  out.intensity =
      static_cast<float>(std::isfinite(intensity) ? std::clamp(intensity, 0.0, kMaxLight) : 1.0);
  const double range = p.real("FarAttenuationEnd", 0.0);
  if (p.flag("EnableFarAttenuation", false) && positiveOr(range, 0.0) > 0.0)
    out.range = static_cast<float>(range);
  // Angles of the whole cone. Version 6 names them otherwise.
  const double outer = p.real("OuterAngle", p.real("Cone angle", 45.0));
  const double inner = p.real("InnerAngle", p.real("HotSpot", 0.0));
  out.outerAngle = static_cast<float>(0.5 * std::max(clampedRadians(outer, 45.0, 180.0), 1e-3));
  out.innerAngle =
      std::min(static_cast<float>(0.5 * clampedRadians(inner, 0.0, 180.0)), out.outerAngle);
  out.nodeFromLight = kNodeFromLight;
  return out;
}

// What 3ds Max keeps of its user: lines "name = value" in one text.
void addLines(std::string_view text, Json& out) {
  const auto trimmed = [](std::string_view part) {
    const std::size_t first = part.find_first_not_of(" \t\r");
    if (first == part.npos) return std::string();
    return std::string(part.substr(first, part.find_last_not_of(" \t\r") - first + 1));
  };
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    std::size_t sign = line.find('=');
    if (sign == line.npos) sign = line.find(':');
    if (sign == line.npos) continue;
    if (std::string name = trimmed(line.substr(0, sign)); !name.empty())
      out[name] = trimmed(line.substr(sign + 1));
  }
}

// null where one is not finite.
Json numbersAt(const FbxElement& property, std::size_t at, std::size_t count) {
  Json out = Json::array();
  for (std::size_t i = at; i < at + count; ++i) {
    const double value = realAt(property, i, 0.0);
    if (!std::isfinite(value)) return nullptr;
    out.push_back(value);
  }
  return out;
}

// The word for the value of an enumeration; its number where the file does not have the words.
Json enumerated(const FbxElement& property, std::size_t at) {
  const std::int64_t value = integerAt(property, at, 0);
  const std::string words = textAt(property, at + 1);
  std::size_t begin = 0;
  for (std::int64_t i = 0; !words.empty() && i <= value && begin <= words.size(); ++i) {
    const std::size_t end = std::min(words.find('~', begin), words.size());
    if (i == value) return words.substr(begin, end - begin);
    begin = end + 1;
  }
  return value;
}

// null: the type has no values, or the value is not usable.
Json userValue(const FbxElement& property, std::size_t at) {
  std::string type = textAt(property, 1);
  std::ranges::transform(type, type.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  const auto isOne = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, type) != names.end();
  };
  if (isOne({"kstring", "charptr", "xrefurl", "url", "datetime"})) return textAt(property, at);
  if (isOne({"bool", "visibility"})) return integerAt(property, at, 0) != 0;
  if (isOne({"enum"})) return enumerated(property, at);
  if (isOne({"int", "integer", "short", "byte", "uint", "ushort", "ubyte", "longlong", "ulonglong",
             "ktime", "time"}))
    return integerAt(property, at, 0);
  if (isOne({"double", "number", "float", "real", "fieldofview", "opacity"}))
    return numbersAt(property, at, 1)[0];
  if (isOne({"vector2", "vector2d"})) return numbersAt(property, at, 2);
  if (isOne({"vector3d", "vector", "color", "colorrgb", "lcl translation", "lcl rotation",
             "lcl scaling"}))
    return numbersAt(property, at, 3);
  if (isOne({"vector4", "vector4d", "colorrgba", "colorandalpha"}))
    return numbersAt(property, at, 4);
  return nullptr;
}

// What is not drawn is no reason to refuse a file: a number out of range is ignored with its part.
template <class Read>
void readIfUsable(const Read& read) {
  try {
    read();
  } catch (const FbxError&) { // NOLINT(bugprone-empty-catch)
  }
}

// The custom properties of an object as a JSON object; empty where it has none.
std::string fbxUserProperties(const FbxElement& object) {
  Json out = Json::object();
  for (const char* list : {"Properties70", "Properties60"}) {
    const FbxElement* properties = findChild(object, list);
    if (properties == nullptr) continue;
    for (const FbxElement& property : properties->children) {
      const std::size_t at = property.name == "P" ? 4 : 3; // the flags stand before the value
      if (textAt(property, at - 1).find('U') == std::string::npos) continue;
      const std::string name = textAt(property, 0);
      readIfUsable([&] {
        if (name == "UDP3DSMAX")
          addLines(textAt(property, at), out);
        else if (Json value = userValue(property, at); !value.is_null() && !name.empty())
          out[name] = std::move(value);
      });
    }
  }
  return out.empty() ? std::string() : out.dump();
}

} // namespace

bool isFbxLightUsed(const FbxProperties& light) {
  bool isUsed = false;
  readIfUsable([&] {
    const std::int64_t type = light.integer("LightType", kPoint);
    isUsed = type == kPoint || type == kDirectional || type == kSpot;
  });
  return isUsed;
}

void readFbxSceneParts(const FbxDocument& document, FbxNodes& nodes) {
  const bool isByBlender = childText(document.root(), "Creator").starts_with("Blender");
  // Version 6 has no attributes: their properties are the model's.
  const auto findModelAttribute = [&](std::uint32_t model,
                                      const char* kind) -> std::optional<std::uint32_t> {
    const auto attributes = document.getChildren(model, "NodeAttribute", kind);
    if (!attributes.empty()) return attributes.front();
    if (document.version() < 7000 && document.object(model).subtype == kind) return model;
    return std::nullopt;
  };
  for (const FbxNode& from : nodes.nodes) {
    Node& node = nodes.hierarchy.nodes[from.node];
    readIfUsable([&] {
      const auto camera = findModelAttribute(from.object, "Camera");
      if (!camera) return;
      node.camera = CameraReader(document.properties(*camera), isByBlender).read();
      node.camera->name = document.object(*camera).name;
    });
    readIfUsable([&] {
      const auto light = findModelAttribute(from.object, "Light");
      if (!light || !isFbxLightUsed(document.properties(*light))) return;
      node.light = readLight(document.properties(*light));
      node.light->name = document.object(*light).name;
    });
    node.extras = fbxUserProperties(*document.object(from.object).element);
  }
}

} // namespace sinew
