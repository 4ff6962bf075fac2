#include "import/collada/materials.h"

#include "core/color.h"
#include "import/material_rules.h"
#include "import/model_folder.h"

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A colour or a texture.
struct Look {
  std::optional<vec4> color;
  std::string image; // name of a file
  std::string texcoord;
};

// What the profile of an effect says.
class ColladaEffect {
 public:
  ColladaEffect(const ColladaDocument& document, const pugi::xml_node& effect)
      : document_(document), effect_(effect), profile_(effect.child("profile_COMMON")) {
    technique_ = profile_.child("technique");
    for (const char* name : {"phong", "blinn", "lambert", "constant"})
      if (const pugi::xml_node shader = technique_.child(name)) shader_ = shader;
  }

  std::string_view shader() const { return shader_.name(); }

  Look look(const char* name) const { return readLook(shader_.child(name)); }

  std::optional<float> number(const char* name) const {
    const pugi::xml_node element = shader_.child(name);
    pugi::xml_node value = element.child("float");
    if (const pugi::xml_node param = element.child("param"))
      value = parameter(param.attribute("ref").value()).child("float");
    const double out = colladaNumber(value, NAN);
    return std::isfinite(out) ? std::optional(static_cast<float>(out)) : std::nullopt;
  }

  // "A_ONE", "RGB_ZERO"...
  std::string opaque() const {
    return shader_.child("transparent").attribute("opaque").as_string("A_ONE");
  }

  // In the extensions of several writers.
  bool isDoubleSided() const {
    for (const pugi::xml_node& place : {effect_, profile_, technique_})
      for (const pugi::xml_node& technique : place.child("extra").children("technique"))
        if (colladaNumber(technique.child("double_sided"), 0.0) > 0.0) return true;
    return false;
  }
  Look bump() const {
    for (const pugi::xml_node& place : {technique_, profile_, effect_})
      for (const pugi::xml_node& extra : place.children("extra"))
        for (const pugi::xml_node& technique : extra.children("technique"))
          if (const pugi::xml_node bump = technique.child("bump")) return readLook(bump);
    return {};
  }

 private:
  Look readLook(const pugi::xml_node& element) const {
    Look out;
    pugi::xml_node color = element.child("color");
    if (const pugi::xml_node param = element.child("param")) {
      const pugi::xml_node made = parameter(param.attribute("ref").value());
      color = made.child("float4") ? made.child("float4") : made.child("float3");
    }
    const std::vector<double> numbers = colladaNumbers(color);
    const bool finite = std::ranges::all_of(numbers, [](double n) { return std::isfinite(n); });
    if (numbers.size() >= 3 && finite) {
      const vec4 all(vec3(glm::dvec3(numbers[0], numbers[1], numbers[2])),
                     numbers.size() > 3 ? static_cast<float>(numbers[3]) : 1.0f);
      out.color = glm::clamp(all, 0.0f, 1.0f);
    }
    if (const pugi::xml_node texture = element.child("texture")) {
      out.image = findImage(texture.attribute("texture").value());
      out.texcoord = texture.attribute("texcoord").value();
    }
    return out;
  }

  pugi::xml_node parameter(std::string_view sid) const {
    for (const pugi::xml_node& place : {technique_, profile_, effect_})
      for (const pugi::xml_node& each : place.children("newparam"))
        if (each.attribute("sid").value() == sid) return each;
    return {};
  }

  // From a sampler to its image, over a surface in version 1.4; some writers name the image itself.
  std::string findImage(const std::string& name) const {
    const pugi::xml_node sampler = parameter(name).child("sampler2D");
    pugi::xml_node image =
        document_.find(sampler.child("instance_image").attribute("url").value(), "image");
    if (!image) {
      std::vector<std::string> source = colladaWords(sampler.child("source"));
      const pugi::xml_node surface =
          parameter(source.empty() ? name : source.front()).child("surface");
      pugi::xml_node from = surface.child("init_from");
      if (from.child("ref")) from = from.child("ref");
      source = colladaWords(from);
      if (!source.empty()) image = document_.find(source.front(), "image");
    }
    if (!image) image = document_.find(name, "image");
    pugi::xml_node from = image.child("init_from");
    if (from.child("ref")) from = from.child("ref");
    return fileName(from.text().get());
  }

  // "file:///C:/my%20skin.png" as a path.
  static std::string fileName(std::string_view uri) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t first = uri.find_first_not_of(kBlanks);
    if (first == uri.npos) return {};
    uri = uri.substr(first, uri.find_last_not_of(kBlanks) + 1 - first);
    constexpr std::string_view kScheme = "file://";
    if (uri.starts_with(kScheme)) uri.remove_prefix(kScheme.size());
    if (uri.size() > 2 && uri[0] == '/' && uri[2] == ':') uri.remove_prefix(1); // "/C:/..."
    return decodePercent(uri);
  }

  const ColladaDocument& document_;
  pugi::xml_node effect_, profile_, technique_, shader_;
};

// How much is seen of it, by its colour of transparency and the factor. In practice a fully
// transparent material means that the exporter wrote transparency for opacity.
float computeOpacity(const ColladaEffect& effect) {
  const std::optional<vec4> color = effect.look("transparent").color;
  const float factor = effect.number("transparency").value_or(1.0f);
  if (!color && !effect.number("transparency")) return 1.0f;
  const vec4 all = color.value_or(vec4(1.0f));
  const float luminance = 0.212671f * all.x + 0.715160f * all.y + 0.072169f * all.z;
  const std::string opaque = effect.opaque();
  const float value = (opaque.starts_with("RGB") ? luminance : all.w) * factor;
  const float opacity = opaque.ends_with("ZERO") ? 1.0f - value : value;
  return opacity > 0.01f ? std::min(opacity, 1.0f) : 1.0f;
}

void readHighlight(const ColladaEffect& effect, Material& material) {
  if (effect.shader() == "lambert" || effect.shader() == "constant")
    return setRoughness(1.0f, material);
  if (const float exponent = effect.number("shininess").value_or(0.0f); exponent > 1.0f)
    setShininess(exponent, material);
  if (const auto specular = effect.look("specular").color)
    material.specular = std::min(0.3f, (specular->x + specular->y + specular->z) / 3.0f);
}

class ColladaLooks {
 public:
  ColladaLooks(const ColladaEffect& effect, TextureReader& textures, UnusedCounts& unused,
               const Model& model, Material& material)
      : effect_(effect), textures_(textures), unused_(unused), model_(model), material_(material) {}

  // A texture replaces the colour. Returns the semantic that it is painted by.
  std::string read() {
    const Look diffuse = effect_.look("diffuse");
    if (!diffuse.image.empty()) material_.texture = textures_.file(diffuse.image);
    const vec3 color = linearFromSrgb(vec3(diffuse.color.value_or(vec4(0.9f))));
    material_.baseColor = vec4(material_.texture ? vec3(1.0f) : color, computeOpacity(effect_));
    readHighlight(effect_, material_);
    material_.doubleSided = effect_.isDoubleSided();
    setAlphaByContents(material_.texture ? &model_.textures[*material_.texture] : nullptr,
                       material_);
    std::string texcoord = diffuse.texcoord;
    readOpacity(texcoord);
    const Look emission = effect_.look("emission");
    material_.emissive = linearFromSrgb(vec3(emission.color.value_or(vec4(0.0f))));
    if (const auto texture = further(emission, texcoord)) {
      material_.emissiveTexture = texture;
      material_.emissive = vec3(1.0f);
    }
    // A slot for heights may hold a normal map.
    const Look bump = effect_.bump();
    if (!bump.image.empty())
      if (const std::uint32_t texture = textures_.file(bump.image);
          isNormalMap(model_.textures[texture]))
        material_.normalTexture = texture;
    for (const char* other : {"specular", "shininess", "reflective", "ambient"})
      if (!effect_.look(other).image.empty() && effect_.look(other).image != diffuse.image)
        unused_.add("texture that has no place in glTF", "textures that have no place in glTF");
    return texcoord;
  }

 private:
  // An image that is there, by the texture coordinates of the base colour.
  std::optional<std::uint32_t> further(const Look& look, std::string& texcoord) {
    if (look.image.empty()) return std::nullopt;
    if (!texcoord.empty() && look.texcoord != texcoord) {
      unused_.add("texture by other coordinates than the base colour's",
                  "textures by other coordinates than the base colour's");
      return std::nullopt;
    }
    const std::uint32_t texture = textures_.file(look.image);
    if (!model_.textures[texture].found) return std::nullopt;
    texcoord = look.texcoord;
    return texture;
  }

  // Where the image of the base colour is missing, a checkerboard stays whole.
  void readOpacity(std::string& texcoord) {
    if (material_.texture && !model_.textures[*material_.texture].found) return;
    const Look look = effect_.look("transparent");
    if (look.image.empty() || !effect_.opaque().ends_with("ONE")) return;
    const auto opacity = further(look, texcoord);
    if (!opacity || opacity == material_.texture) return;
    material_.texture = textures_.joined(material_.texture, opacity, opacityImage);
    const AlphaMode mode = chooseAlphaMode(model_.textures[*material_.texture].image);
    if (mode != AlphaMode::opaque) material_.alphaMode = mode;
  }

  const ColladaEffect& effect_;
  TextureReader& textures_;
  UnusedCounts& unused_;
  const Model& model_;
  Material& material_;
};

} // namespace

std::uint32_t ColladaMaterials::fallback() {
  if (!fallback_) {
    fallback_ = static_cast<std::uint32_t>(model_.materials.size());
    model_.materials.emplace_back();
  }
  return *fallback_;
}

const ColladaMaterials::ReadMaterial&
ColladaMaterials::readMaterial(const pugi::xml_node& element) {
  const auto [known, isNew] = known_.try_emplace(element.internal_object());
  if (!isNew) return known->second;
  const pugi::xml_node effect =
      document_.find(element.child("instance_effect").attribute("url").value(), "effect");
  Material material;
  material.name = colladaName(element);
  const ColladaEffect read(document_, effect);
  known->second.texcoord = ColladaLooks(read, textures_, unused_, model_, material).read();
  known->second.material = static_cast<std::uint32_t>(model_.materials.size());
  model_.materials.push_back(std::move(material));
  return known->second;
}

ColladaMaterialLookup ColladaMaterials::bound(const pugi::xml_node& instance) {
  std::map<std::string, pugi::xml_node> bySymbol;
  for (const pugi::xml_node& each :
       instance.child("bind_material").child("technique_common").children("instance_material"))
    bySymbol.emplace(each.attribute("symbol").value(), each);
  return [this, bySymbol = std::move(bySymbol)](const std::string& symbol) {
    const auto found = bySymbol.find(symbol);
    const pugi::xml_node binding = found != bySymbol.end() ? found->second : pugi::xml_node();
    // Writers that bind nothing mean the material of that id.
    const pugi::xml_node element = document_.find(
        binding ? std::string_view(binding.attribute("target").value()) : symbol, "material");
    if (!element) return ColladaMaterialUse{fallback(), std::nullopt};
    const ReadMaterial& known = readMaterial(element);
    ColladaMaterialUse use{known.material, std::nullopt};
    for (const char* name : {"bind_vertex_input", "bind"})
      for (const pugi::xml_node& input : binding.children(name))
        if (!known.texcoord.empty() && input.attribute("semantic").value() == known.texcoord)
          use.texcoordSet = input.attribute("input_set").as_uint();
    return use;
  };
}

} // namespace sinew
