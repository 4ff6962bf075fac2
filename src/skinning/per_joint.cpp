#include "rig/bend_shares.h"
#include "skinning/binding_parts.h"
#include "skinning/exact_normals.h"
#include "skinning/joint_binding.h"
#include "skinning/method_entries.h"
#include "skinning/methods.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace sinew {
namespace {

constexpr std::size_t kMaxMixed = 12; // methods of one model: three attributes of shares

constexpr std::string_view kMixedNormals =
    "rotated with the vertex and mixed by the methods' shares, or of the deformed surface, over "
    "which the shares vary too (where only linear blending, bones blending and splines are mixed; "
    "beside other methods bones blending and splines have those of their own surface, mixed by "
    "share), or none: positions only";

constexpr std::string_view kByFile = "file";

// What the method offers, found when the table is made: the names of the others, and `elsewhere`
// with the parameters of all of them.
struct OfferedChoices {
  std::vector<std::string_view> names;
  std::vector<Parameter> parameters;
};

OfferedChoices& offered() {
  static OfferedChoices choices;
  return choices;
}

void offer(std::span<const Method> others) {
  OfferedChoices& out = offered();
  out = {};
  for (const Method& method : others)
    out.names.push_back(method.name);
  out.names.push_back(kByFile);
  const auto last = static_cast<float>(out.names.size() - 1);
  out.parameters.push_back({"elsewhere", 0, last, last,
                            "method of the joints for which none is stated; file: linear blending "
                            "and dual quaternions as the file mixes them by vertex, or linear "
                            "blending alone",
                            out.names});
  for (const Method& method : others)
    for (const Parameter& parameter : method.parameters)
      if (std::ranges::find(out.parameters, parameter.name, &Parameter::name) ==
          out.parameters.end()) {
        out.parameters.push_back(parameter);
        if (parameter.name == "normals") out.parameters.back().help = kMixedNormals;
      }
}

// A part's own options: its parameters are those of the whole that have their names.
BindOptions makeOptions(const Method& method, const BindOptions& options,
                        std::span<const float> values) {
  BindOptions out = options;
  out.methods.clear();
  out.parameters.clear();
  const std::vector<Parameter>& known = offered().parameters;
  for (const Parameter& parameter : method.parameters) {
    const auto found = std::ranges::find(known, parameter.name, &Parameter::name);
    out.parameters.push_back(found != known.end()
                                 ? values[static_cast<std::size_t>(found - known.begin())]
                                 : parameter.value);
  }
  return out;
}

bool wantsExactNormals(std::span<const float> values) {
  const std::vector<Parameter>& known = offered().parameters;
  const auto normals = std::ranges::find(known, "normals", &Parameter::name);
  return normals != known.end() &&
         normalMode(values[static_cast<std::size_t>(normals - known.begin())]) == NormalMode::exact;
}

using MethodShares = std::array<float, kMaxMixed>;

// The attribute of the four shares from this part on.
std::string shareName(std::size_t firstPart) {
  return "share" + std::to_string(firstPart / 4);
}

// The methods that some vertex has a share of, and per vertex these shares.
struct MixedMethods {
  std::vector<const Method*> methods;
  std::vector<MethodShares> shares;
  std::vector<const Method*> ofJoint;
};

// Without the methods of which no vertex has a share.
void dropUnused(MixedMethods& mixed) {
  for (std::size_t k = mixed.methods.size(); k-- > 0;) {
    if (std::ranges::any_of(mixed.shares, [&](const auto& s) { return s[k] > 0.0f; })) continue;
    if (mixed.methods.size() == 1) return; // there are no vertices
    mixed.methods.erase(mixed.methods.begin() + static_cast<std::ptrdiff_t>(k));
    for (MethodShares& shares : mixed.shares) {
      std::copy(shares.begin() + static_cast<std::ptrdiff_t>(k) + 1, shares.end(),
                shares.begin() + static_cast<std::ptrdiff_t>(k));
      shares.back() = 0.0f;
    }
  }
}

MixedMethods mixedMethods(const Rig& rig, const BindOptions& options, std::string_view elsewhere) {
  MixedMethods out;
  const auto findPart = [&](const Method* method) {
    const auto found = std::ranges::find(out.methods, method);
    const auto part = static_cast<std::size_t>(found - out.methods.begin());
    if (found == out.methods.end()) out.methods.push_back(method);
    return part;
  };
  out.ofJoint = options.methods;
  out.ofJoint.resize(rig.joints.size(), nullptr);
  const bool leavesSome =
      out.ofJoint.empty() || std::ranges::find(out.ofJoint, nullptr) != out.ofJoint.end();
  // By vertex, of the joints without a method.
  const bool byFile = elsewhere == kByFile && leavesSome && !rig.dualQuaternionShares.empty();
  const Method& other = findMethod(elsewhere == kByFile ? "lbs" : elsewhere);
  const std::size_t otherPart = leavesSome ? findPart(&other) : 0;
  const std::size_t dqsPart = byFile ? findPart(&findMethod("dqs")) : 0;
  std::vector<std::size_t> partOfJoint;
  std::vector<bool> leftOver;
  for (const Method*& method : out.ofJoint) {
    leftOver.push_back(method == nullptr);
    if (method == nullptr) method = &other;
    partOfJoint.push_back(findPart(method));
  }
  assert(out.methods.size() <= kMaxMixed);
  const Lists<BendShare> shares = bendShares(rig);
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    MethodShares& of = out.shares.emplace_back(MethodShares{});
    float mixed = 0.0f;
    for (const BendShare& each : shares.of(v)) {
      if (byFile && leftOver[each.joint])
        mixed += each.share;
      else
        of[partOfJoint[each.joint]] += each.share;
    }
    if (byFile) {
      of[dqsPart] += rig.dualQuaternionShares[v] * mixed;
      of[otherPart] += (1.0f - rig.dualQuaternionShares[v]) * mixed;
    }
    quantizeWeights(of);
  }
  dropUnused(out);
  return out;
}

// The same with exact normals as part of a mixture; null if it has none.
const Method* exactForm(const Method& method) {
  if (method.surface != nullptr) return &method;
  return method.name == "lbs" ? &exactLbsMethod() : nullptr;
}

// The share that one of the methods has of the surface. Refers to its arguments.
SurfaceShare surfaceShare(const MixedMethods& mixed, const BendShareRates& rates,
                          std::size_t number) {
  SurfaceShare out;
  out.along = [&mixed, &rates, method = mixed.methods[number]](std::uint32_t from,
                                                               std::uint32_t to) {
    SurfaceShare::Rate sum{0.0, 0.0};
    for (const BendShareRate& rate : rates(from, to)) {
      if (mixed.ofJoint[rate.joint] != method) continue;
      sum.share += rate.share;
      sum.growth += rate.growth;
    }
    return sum;
  };
  for (const MethodShares& shares : mixed.shares)
    out.atVertices.push_back(shares[number]);
  return out;
}

void appendShares(const MixedMethods& mixed, Binding& whole) {
  for (std::size_t first = 0; first < mixed.methods.size(); first += 4) {
    Attribute share{shareName(first), AttributeFormat::unorm16x4, false, {}};
    for (const MethodShares& s : mixed.shares)
      append(share, vec4(s[first], s[first + 1], s[first + 2], s[first + 3]));
    whole.attributes.push_back(std::move(share));
  }
}

Binding bind(const Rig& rig, const BindOptions& options) {
  Binding whole;
  whole.parameters = parameterValues(offered().parameters, options);
  whole.vertexCount = static_cast<std::uint32_t>(rig.positions.size());
  const auto elsewhere = static_cast<std::size_t>(std::lround(whole.parameters[0]));
  const MixedMethods mixed = mixedMethods(rig, options, offered().names[elsewhere]);
  const bool exact =
      wantsExactNormals(whole.parameters) &&
      std::ranges::all_of(mixed.methods, [](const Method* m) { return exactForm(*m) != nullptr; });
  const BendShareRates rates = bendShareRates(rig);
  for (std::size_t k = 0; k < mixed.methods.size(); ++k) {
    const Method& method = exact ? *exactForm(*mixed.methods[k]) : *mixed.methods[k];
    BindOptions own = makeOptions(method, options, whole.parameters);
    SurfaceShare share;
    if (exact && mixed.methods.size() > 1) {
      share = surfaceShare(mixed, rates, k);
      own.share = &share;
    }
    appendPart(method, method.bind(rig, own), whole);
  }
  if (exact && mixed.methods.size() > 1) whole.variant.normals = NormalMode::exact;
  whole.variant.own = {{"PARTS", static_cast<std::uint32_t>(whole.parts.size())}};
  if (whole.parts.size() > 1) appendShares(mixed, whole);
  putFetchedLast(whole);
  // Integers are not fetched: where they take every location, normal maps are not drawn. Nor are
  // they where one of the methods has no tangents.
  const bool allHave = std::ranges::all_of(
      whole.parts, [](const BindingPart& part) { return part.method->skinTangents != nullptr; });
  whole.tangents = allHave && std::ranges::count_if(whole.attributes, [](const Attribute& a) {
                                return isInteger(a.format);
                              }) < static_cast<std::ptrdiff_t>(kMaxBindingAttributes);
  return whole;
}

// Every vertex by every method: this is the reference, not the fast way.
std::vector<SkinnedMesh> skinParts(const BindVertices& vertices, const Binding& binding,
                                   const Palette& palette) {
  std::vector<SkinnedMesh> out;
  for (const BindingPart& part : binding.parts)
    part.method->skin(vertices, part.binding, selectPalette(binding, part, palette),
                      out.emplace_back());
  return out;
}

// Reads what appendShares() has written.
class Shares {
 public:
  explicit Shares(const Binding& binding) : parts_(binding.parts.size()) {
    for (std::size_t first = 0; parts_ > 1 && first < parts_; first += 4)
      attributes_[first / 4] = &findAttribute(binding, shareName(first));
  }

  MethodShares of(std::size_t vertex) const {
    MethodShares out{1.0f};
    for (std::size_t first = 0; parts_ > 1 && first < parts_; first += 4) {
      const vec4 four = readFloat(*attributes_[first / 4], vertex);
      for (std::size_t i = 0; i < 4; ++i)
        out[first + i] = four[static_cast<int>(i)];
    }
    return out;
  }

 private:
  std::size_t parts_;
  std::array<const Attribute*, kMaxMixed / 4> attributes_{};
};

std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  std::vector<std::vector<vec4>> parts;
  for (const BindingPart& part : binding.parts)
    parts.push_back(
        part.method->skinTangents(vertices, part.binding, selectPalette(binding, part, palette)));
  std::vector<vec4> out(vertices.tangents.size());
  const Shares shares(binding);
  for (std::size_t v = 0; v < out.size(); ++v) {
    const MethodShares of = shares.of(v);
    vec4 sum(0.0f);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (of[k] <= 0.0f) continue;
      const vec4& by = parts[k][v];
      sum = vec4(vec3(sum) + of[k] * vec3(by), sum.w == 0.0f ? by.w : sum.w);
    }
    const float squared = glm::dot(vec3(sum), vec3(sum));
    out[v] = vec4(squared > 1e-30f ? vec3(sum) / std::sqrt(squared) : vec3(0.0f), sum.w);
  }
  return out;
}

// The sum of the parts' normals, as long as they agree.
vec3 sumOfNormals(std::span<const SkinnedMesh> parts, const MethodShares& shares,
                  std::size_t vertex) {
  vec3 sum(0.0f);
  for (std::size_t k = 0; k < parts.size(); ++k)
    sum += shares[k] * parts[k].normals[vertex];
  return sum;
}

// The surface about every vertex, its tangents added up, and what the shares' own growth does.
std::vector<SurfaceMotion> addSurfaces(const BindVertices& vertices, const Binding& binding,
                                       const Palette& palette) {
  const Shares vertexShares(binding);
  std::vector<SurfaceMotion> out(binding.vertexCount);
  std::vector<float> mirrored(binding.vertexCount, 0.0f);
  std::vector<float> shares(binding.vertexCount);
  for (std::size_t k = 0; k < binding.parts.size(); ++k) {
    const BindingPart& part = binding.parts[k];
    for (std::size_t v = 0; v < shares.size(); ++v)
      shares[v] = vertexShares.of(v)[k];
    const std::vector<SurfaceMotion> motions =
        part.method->surface(vertices, part.binding, selectPalette(binding, part, palette), shares);
    for (std::size_t v = 0; v < out.size(); ++v) {
      const SurfaceMotion& motion = motions[v];
      SurfaceMotion& sum = out[v];
      if (k == 0) sum.start = sum.position = motion.position;
      sum.position += shares[v] * (motion.position - sum.start);
      // Growths of all shares cancel, so positions may count from anywhere.
      sum.u += motion.u + motion.growth.x * (motion.start - sum.start);
      sum.v += motion.v + motion.growth.y * (motion.start - sum.start);
      if (motion.mirrors) mirrored[v] += shares[v];
      sum.mirrors = mirrored[v] > 0.5f;
    }
  }
  return out;
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  if (binding.variant.normals == NormalMode::exact)
    return takePositionsAndNormals(addSurfaces(vertices, binding, palette), out);
  const std::vector<SkinnedMesh> parts = skinParts(vertices, binding, palette);
  const Shares vertexShares(binding);
  out.positions.resize(binding.vertexCount);
  out.normals.assign(binding.vertexCount, vec3(0.0f));
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const MethodShares shares = vertexShares.of(v);
    std::size_t first = 0;
    while (shares[first] <= 0.0f)
      ++first;
    vec3 moved(0.0f); // from where the first puts it: accurate far from the origin
    for (std::size_t k = first + 1; k < parts.size(); ++k)
      moved += shares[k] * (parts[k].positions[v] - parts[first].positions[v]);
    out.positions[v] = parts[first].positions[v] + moved;
    if (!binding.variant.hasNormals()) continue;
    const vec3 normal = sumOfNormals(parts, shares, v);
    const float squared = glm::dot(normal, normal);
    if (squared > 1e-30f) out.normals[v] = normal / std::sqrt(squared);
  }
}

// Where those of a part that counts are.
std::vector<bool> unstableInParts(decltype(Method::unstableNormals) Method::*which,
                                  const BindVertices& vertices, const Binding& binding,
                                  const Palette& palette) {
  const Shares vertexShares(binding);
  std::vector<bool> unstable(binding.vertexCount, false);
  for (std::size_t k = 0; k < binding.parts.size(); ++k) {
    const BindingPart& part = binding.parts[k];
    const auto findUnstable = part.method->*which;
    if (findUnstable == nullptr) continue;
    const std::vector<bool> own =
        findUnstable(vertices, part.binding, selectPalette(binding, part, palette));
    for (std::size_t v = 0; v < own.size(); ++v)
      if (own[v] && vertexShares.of(v)[k] > 0.0f) unstable[v] = true;
  }
  return unstable;
}

// And where the parts' normals nearly cancel.
std::vector<bool> unstableNormals(const BindVertices& vertices, const Binding& binding,
                                  const Palette& palette) {
  constexpr float kCancelled = 0.05f;
  std::vector<bool> unstable =
      unstableInParts(&Method::unstableNormals, vertices, binding, palette);
  if (binding.variant.normals == NormalMode::exact) {
    const std::vector<SurfaceMotion> motions = addSurfaces(vertices, binding, palette);
    for (std::size_t v = 0; v < motions.size(); ++v)
      if (motions[v].unstable()) unstable[v] = true;
    return unstable;
  }
  const std::vector<SkinnedMesh> parts = skinParts(vertices, binding, palette);
  const Shares vertexShares(binding);
  for (std::size_t v = 0; v < binding.vertexCount; ++v)
    if (glm::length(sumOfNormals(parts, vertexShares.of(v), v)) < kCancelled) unstable[v] = true;
  return unstable;
}

std::vector<bool> unstablePositions(const BindVertices& vertices, const Binding& binding,
                                    const Palette& palette) {
  return unstableInParts(&Method::unstablePositions, vertices, binding, palette);
}

constexpr std::array<std::string_view, 1> kShaders{"skinning/per_joint.glsl"};
constexpr std::array<std::string_view, 1> kTangentShaders{"skinning/per_joint_tangent.glsl"};

} // namespace

Method perJointMethod(std::span<const Method> others) {
  assert(others.size() <= kMaxMixed);
  offer(others);
  return {.name = "per-joint",
          .title = "Per joint",
          .shortTitle = "Per joint",
          .paper = "Kavan and Zara 2003, section 3, for any of these methods",
          .summary = "Each joint by a method of its own, stated by its zone, and mixed where two "
                     "meet: bones blending at the shoulders, say, and linear blending elsewhere.",
          .formula = "v' = sum_k s_k v'_k",
          .symbols = "v'_k: where method k puts the vertex. s_k: the share of the joints "
                     "with this method in the vertex.",
          .parameters = offered().parameters,
          .shaders = kShaders,
          .usesZones = true,
          .usesFreeSplines = true,
          .perJoint = true,
          .bind = bind,
          .pack = packParts,
          .skin = skin,
          .tangentShaders = kTangentShaders,
          .skinTangents = skinTangents,
          .addRotations = addPartRotations,
          .unstableNormals = unstableNormals,
          .unstablePositions = unstablePositions,
          .morph = morphParts};
}

} // namespace sinew
