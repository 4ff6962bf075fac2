#include "app/method_list.h"
#include "c/bind_settings.h"
#include "c/handles.h"
#include "core/error.h"
#include "cpu_skin/cpu_skin_bytes.h"
#include "page/pose_rig.h"
#include "render/shader_es300.h"
#include "render/shader_glsl120.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <span>

namespace sinew {
namespace {

static_assert(static_cast<int>(AttributeFormat::texel4) == SINEW_TEXEL4 &&
              static_cast<int>(AttributeFormat::float1) == SINEW_FLOAT1 &&
              static_cast<int>(AttributeFormat::snorm8x3) == SINEW_SNORM8X3);

constexpr std::string_view kInfluencesWord = "influences=";

// "influences=4,attachments=1": the number of influences, and what is left of the text.
std::string takeInfluences(std::string_view text, Settings& settings) {
  std::string rest;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (!word.starts_with(kInfluencesWord)) {
      rest += (rest.empty() ? "" : ",") + std::string(word);
      continue;
    }
    const std::string_view number = word.substr(kInfluencesWord.size());
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), settings.influences);
    if (error != std::errc() || end != number.data() + number.size() || settings.influences < 1 ||
        settings.influences > static_cast<int>(kInfluenceLimit))
      throw usageError(fmt::format("influences: a whole number from 1 to {} is expected, not '{}'",
                                   kInfluenceLimit, number));
  }
  return rest;
}

// What sinew_pack() reads: a joint's matrix is at its own index.
Rig jointsAlone(const Rig& rig) {
  Rig out;
  out.joints = rig.joints;
  for (std::uint32_t j = 0; j < out.joints.size(); ++j)
    out.joints[j].node = j;
  out.splines = rig.splines;
  return out;
}

std::unique_ptr<sinew_binding> bindTo(const sinew_model& model, const Settings& settings) {
  const MethodChoice& choice = onlyMethod(settings);
  auto out = std::make_unique<sinew_binding>();
  out->method = choice.method;
  out->rig = model.rig;
  out->packed = jointsAlone(*model.rig);
  out->binding = choice.method->bind(*model.rig, makeBindOptions(settings, choice));
  const bool tangents = takesTangents(*out->rig, *out->method, out->binding);
  const BindVertices vertices(*out->rig);
  out->skin.emplace(*out->method, vertices, out->binding,
                    std::span<const std::span<const std::uint32_t>>(), tangents);
  if (tangents) out->skin->addTangentBlocks(vertices, out->binding);
  return out;
}

ShaderTextOptions shaderOptions(std::int32_t stretches) {
  ShaderTextOptions options;
  options.storage = PaletteStorage::texture;
  options.stretches = stretches != 0;
  return options;
}

template <auto kWrite>
std::string writeShader(const sinew_binding& bound, const ShaderTextOptions& options) {
  return kWrite(*bound.method, bound.binding, options);
}

std::string writeGlsl120(const sinew_binding& bound, const ShaderTextOptions& options) {
  return batchedGlsl120(*bound.rig, *bound.method, bound.binding, options).text;
}

std::string shaderFor(const sinew_binding& bound, std::string_view target, std::int32_t stretches) {
  using Writer = std::string (*)(const sinew_binding&, const ShaderTextOptions&);
  static constexpr std::array<std::pair<std::string_view, Writer>, 4> kTargets{
      {{"glsl330", writeShader<vertexShaderText>},
       {"glsl120", writeGlsl120},
       {"es300", writeShader<es300Text>},
       {"function", writeShader<skinFunctionText>}}};
  const auto found =
      std::ranges::find(kTargets, target, &std::pair<std::string_view, Writer>::first);
  if (found == kTargets.end())
    throw unknownName("target", target,
                      std::array{std::string("glsl330"), std::string("glsl120"),
                                 std::string("es300"), std::string("function")});
  return found->second(bound, shaderOptions(stretches));
}

// Bytes behind their hash (FNV-1a, of which no two that differ in one byte agree): damage is found
// when they are read.
constexpr std::size_t kSeal = sizeof(std::uint64_t);

std::uint64_t hashBytes(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u + SINEW_ABI;
  for (const std::byte byte : bytes)
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  return hash;
}

std::string sealed(std::span<const std::byte> bytes) {
  const std::uint64_t hash = hashBytes(bytes);
  std::string out(kSeal + bytes.size(), '\0');
  std::memcpy(out.data(), &hash, kSeal);
  std::memcpy(out.data() + kSeal, bytes.data(), bytes.size());
  return out;
}

// Empty where the hash is another.
std::span<const std::byte> unsealed(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0;
  if (bytes.size() < kSeal) return {};
  std::memcpy(&hash, bytes.data(), kSeal);
  bytes = bytes.subspan(kSeal);
  return hash == hashBytes(bytes) ? bytes : std::span<const std::byte>();
}

void requireVertices(const sinew_binding* binding) {
  requirePointer(binding, "binding");
  if (binding->rig == nullptr)
    throw usageError("binding: it was read from bytes", "bind the method to a model");
}

// What sinew_pack() needs, behind its length; then, where there is a skin, what that has prepared.
std::string savedBytes(const sinew_binding& bound, sinew_keep keep) {
  if (keep != SINEW_KEEP_PALETTE && keep != SINEW_KEEP_SKIN)
    throw usageError(fmt::format("keep: there is no sinew_keep {}", static_cast<int>(keep)));
  if (keep == SINEW_KEEP_SKIN && !bound.skin)
    throw usageError("binding: it has no vertices to keep", "bind the method to a model");
  // A hierarchy of the joints alone: their matrices are given, so nothing is above them.
  Hierarchy hierarchy;
  hierarchy.nodes.resize(bound.packed.joints.size());
  const PoseMethod method{bound.method, bound.binding};
  std::vector<std::uint32_t> nodes;
  std::vector<std::byte> bytes = toBytes(poseRig(hierarchy, bound.packed, {&method, 1}, {}, nodes));
  std::vector<std::byte> out(sizeof(std::uint64_t));
  const std::uint64_t length = bytes.size();
  std::memcpy(out.data(), &length, sizeof length);
  out.insert(out.end(), bytes.begin(), bytes.end());
  if (keep == SINEW_KEEP_SKIN) {
    bytes = toBytes(*bound.skin);
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  return sealed(out);
}

// The first length bytes, which are taken off. Nothing where there are fewer.
std::span<const std::byte> takeFirst(std::span<const std::byte>& bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) return {};
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes = bytes.subspan(sizeof length);
  if (length > bytes.size()) return {};
  const auto out = bytes.first(static_cast<std::size_t>(length));
  bytes = bytes.subspan(out.size());
  return out;
}

std::unique_ptr<sinew_binding> readBinding(std::span<const std::byte> data) {
  std::span<const std::byte> rest = unsealed(data);
  std::optional<PoseRig> read = readPoseRig(takeFirst(rest));
  if (!read || read->methods.size() != 1)
    throw inputError("data", "these are not the bytes of sinew_binding_save(), or damaged",
                     fmt::format("save the binding again with this version, ABI {}", SINEW_ABI));
  auto out = std::make_unique<sinew_binding>();
  out->method = read->methods.front().method;
  out->binding = std::move(read->methods.front().binding);
  out->packed = std::move(read->rig);
  if (rest.empty()) return out;
  out->skin = readCpuSkin(rest, *out->method, out->binding);
  return out;
}

} // namespace

Settings bindSettings(const char* method, const char* settings) {
  requirePointer(method, "method");
  Settings out;
  out.methods = parseMethods(method);
  out.clip = "bind";
  out.parameters = parseParameters(takeInfluences(settings != nullptr ? settings : "", out));
  checkParametersUsed(out, out.methods);
  return out;
}

} // namespace sinew

extern "C" {

const char* sinew_method(uint32_t index, const char** title) {
  const auto all = sinew::methods();
  if (index >= all.size()) return nullptr;
  if (title != nullptr) *title = all[index].title.data();
  return all[index].name.data();
}

sinew_binding* sinew_bind(const sinew_model* model, const char* method, const char* settings) {
  return sinew::guardedHandle([&] {
    sinew::requirePointer(model, "model");
    return sinew::bindTo(*model, sinew::bindSettings(method, settings));
  });
}

void sinew_binding_free(sinew_binding* binding) {
  delete binding;
}

sinew_code sinew_layout_of(const sinew_binding* binding, sinew_layout* out) {
  return sinew::guarded([&] {
    sinew::requirePointer(binding, "binding");
    sinew::requirePointer(out, "out");
    const sinew::Binding& bound = binding->binding;
    *out = {binding->vertexCount(),
            static_cast<uint32_t>(binding->packed.joints.size()),
            bound.entryCount,
            bound.rowsPerEntry,
            bound.entryCount * bound.rowsPerEntry,
            static_cast<uint32_t>(bound.attributes.size()),
            binding->skin && binding->skin->hasKernel() ? 1 : 0,
            binding->hasTangents() ? 1 : 0};
  });
}

sinew_code sinew_attribute_of(const sinew_binding* binding, uint32_t index, sinew_attribute* out) {
  return sinew::guarded([&] {
    sinew::requireVertices(binding);
    sinew::requirePointer(out, "out");
    const auto& attributes = binding->shown().attributes;
    if (index >= attributes.size())
      throw sinew::usageError(fmt::format("index: {} of {}", index, attributes.size()));
    const sinew::Attribute& attribute = attributes[index];
    *out = {attribute.name.c_str(), attribute.data.data(), attribute.data.size(),
            static_cast<sinew_format>(attribute.format), attribute.palette ? 1 : 0};
  });
}

sinew_blob* sinew_shader(const sinew_binding* binding, const char* target, int32_t stretches) {
  return sinew::guardedHandle([&] {
    sinew::requireVertices(binding);
    sinew::requirePointer(target, "target");
    return sinew::makeBlob(sinew::shaderFor(*binding, target, stretches));
  });
}

sinew_blob* sinew_binding_save(const sinew_binding* binding, sinew_keep keep) {
  return sinew::guardedHandle([&] {
    sinew::requirePointer(binding, "binding");
    return sinew::makeBlob(sinew::savedBytes(*binding, keep));
  });
}

sinew_binding* sinew_binding_read(const void* data, size_t size) {
  return sinew::guardedHandle([&] {
    sinew::requirePointer(data, "data");
    return sinew::readBinding({static_cast<const std::byte*>(data), size});
  });
}

} // extern "C"
