#include "import/fbx/key.h"

#include "import/repairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace sinew {
namespace {

// Bits of KeyAttrFlags (FBX SDK, FbxAnimCurveDef).
constexpr std::int64_t kConstant = 0x2;
constexpr std::int64_t kLinear = 0x4;
constexpr std::int64_t kCubic = 0x8;
constexpr std::int64_t kConstantNext = 0x100;
constexpr std::int64_t kTangentAuto = 0x100;
constexpr std::int64_t kTangentTcb = 0x200;
constexpr std::int64_t kTangentUser = 0x400;
constexpr std::int64_t kClamp = 0x1000;
constexpr std::int64_t kClampProgressive = 0x4000;
constexpr std::int64_t kWeightedRight = 0x1000000;
constexpr std::int64_t kWeightedNextLeft = 0x2000000;
constexpr std::int64_t kVelocity = 0x10000000 | 0x20000000;

constexpr double kWeightUnit = 1.0 / 9999.0; // weights are stored as such 16-bit integers
constexpr double kMinWeight = 1e-4;
constexpr double kMaxWeight = 0.99;
constexpr double kDefaultWeight = 1.0 / 3.0;

double usableWeight(double weight) {
  return std::isfinite(weight) ? std::clamp(weight, kMinWeight, kMaxWeight) : kDefaultWeight;
}

void applyAttributes(std::int64_t flags, const float* data, FbxKey& key) {
  using Interpolation = FbxKey::Interpolation;
  if ((flags & kConstant) != 0)
    key.interpolation =
        (flags & kConstantNext) != 0 ? Interpolation::constantNext : Interpolation::constant;
  else if ((flags & kCubic) != 0)
    key.interpolation = Interpolation::cubic;
  else if ((flags & kLinear) != 0)
    key.interpolation = Interpolation::linear;
  if (key.interpolation != Interpolation::cubic) return;
  key.tangent = (flags & kTangentTcb) != 0    ? FbxKey::Tangent::tcb
                : (flags & kTangentUser) != 0 ? FbxKey::Tangent::user
                : (flags & kTangentAuto) != 0 ? FbxKey::Tangent::automatic
                                              : FbxKey::Tangent::user;
  key.clamp = (flags & kClampProgressive) != 0 ? FbxKey::Clamp::progressive
              : (flags & kClamp) != 0          ? FbxKey::Clamp::level
                                               : FbxKey::Clamp::none;
  key.hasVelocity = (flags & kVelocity) != 0;
  if (data == nullptr) return;
  if (key.tangent == FbxKey::Tangent::tcb)
    key.tcb = {data[0], data[1], data[2]};
  else {
    key.rightSlope = data[0];
    key.nextLeftSlope = data[1];
    const auto weights = std::bit_cast<std::uint32_t>(data[2]);
    if ((flags & kWeightedRight) != 0)
      key.rightWeight = usableWeight((weights & 0xffff) * kWeightUnit);
    if ((flags & kWeightedNextLeft) != 0)
      key.nextLeftWeight = usableWeight((weights >> 16) * kWeightUnit);
  }
}

// Reads the parts of the keys of version 6 one after another.
class ChannelKeys {
 public:
  ChannelKeys(const FbxElement& key, double ticksPerSecond)
      : values_(key.values), ticksPerSecond_(ticksPerSecond) {}

  bool atEnd() const { return at_ >= values_.size(); }

  FbxKey take() {
    FbxKey key;
    key.seconds = number() / ticksPerSecond_;
    key.value = number();
    switch (const char interpolation = letter()) {
    case 'C':
      key.interpolation =
          letter() == 'n' ? FbxKey::Interpolation::constantNext : FbxKey::Interpolation::constant;
      break;
    case 'L':
      break;
    case 'U':
      takeCubic(key);
      break;
    default:
      throw FbxError(fmt::format("a key has the unknown interpolation '{}'", interpolation));
    }
    return key;
  }

 private:
  const FbxValue& next() {
    if (atEnd()) throw FbxError("the last key of a channel is cut short");
    return values_[at_++];
  }
  double number() { return toReal(next()); }
  // Binary files have letters as small numbers.
  char letter() {
    const FbxValue& value = next();
    const char c = isNumber(value)       ? static_cast<char>(toInteger(value) & 0x7f)
                   : value.bytes.empty() ? '\0'
                                         : value.bytes[0];
    return c >= ' ' && c <= '~' ? c : '?';
  }

  void takeCubic(FbxKey& key) {
    key.interpolation = FbxKey::Interpolation::cubic;
    int weights = 1;
    switch (const char tangent = letter()) {
    case 's': // both sides alike
    case 'b': // broken
      key.rightSlope = number();
      key.nextLeftSlope = number();
      break;
    case 'a':
    case 'd':
      key.tangent = FbxKey::Tangent::automatic;
      break;
    case 'p': // automatic, with the bias of both sides
      key.tangent = FbxKey::Tangent::automatic;
      key.clamp = FbxKey::Clamp::progressive;
      number();
      number();
      weights = 2;
      break;
    case 't':
      key.tangent = FbxKey::Tangent::tcb;
      for (double& each : key.tcb)
        each = number();
      break;
    default:
      throw FbxError(fmt::format("a key has tangents of the unknown kind '{}'", tangent));
    }
    while (weights-- > 0)
      takeWeights(key);
  }

  void takeWeights(FbxKey& key) {
    switch (const char weights = letter()) {
    case 'n':
      break;
    case 'a':
      key.rightWeight = usableWeight(number());
      key.nextLeftWeight = usableWeight(number());
      break;
    case 'r':
      key.rightWeight = usableWeight(number());
      break;
    case 'l':
      key.nextLeftWeight = usableWeight(number());
      break;
    default:
      throw FbxError(fmt::format("a key has weights of the unknown kind '{}'", weights));
    }
  }

  const std::vector<FbxValue>& values_;
  double ticksPerSecond_;
  std::size_t at_ = 0;
};

// The slopes on both sides of each key.
struct Slopes {
  double left = 0.0, right = 0.0;
};

double slopeBetween(const FbxKey& a, const FbxKey& b) {
  return (b.value - a.value) / (b.seconds - a.seconds);
}

// The slope through both neighbours, clamped so that the handles stay between the keys.
double automaticSlope(const FbxKey& before, const FbxKey& key, const FbxKey& after) {
  const double slope = slopeBetween(before, after);
  if (key.clamp == FbxKey::Clamp::none) return slope;
  if (key.value == before.value || key.value == after.value) return 0.0;
  if (key.clamp == FbxKey::Clamp::level) return slope;
  const double sign = slope < 0.0 ? -1.0 : 1.0;
  const double left = sign * slopeBetween(before, key) / before.nextLeftWeight;
  const double right = sign * slopeBetween(key, after) / key.rightWeight;
  return sign * std::clamp(std::abs(slope), 0.0, std::max(0.0, std::min(left, right)));
}

// Kochanek and Bartels (1984), from the slopes to both neighbours.
Slopes tcbSlopes(const FbxKey* before, const FbxKey& key, const FbxKey* after) {
  const auto& [tension, continuity, bias] = key.tcb;
  const double in = before != nullptr ? slopeBetween(*before, key) : 0.0;
  const double out = after != nullptr ? slopeBetween(key, *after) : 0.0;
  const double half = (before != nullptr && after != nullptr ? 0.5 : 1.0) * (1.0 - tension);
  return {half * ((1.0 + bias) * (1.0 - continuity) * in + (1.0 - bias) * (1.0 + continuity) * out),
          half *
              ((1.0 + bias) * (1.0 + continuity) * in + (1.0 - bias) * (1.0 - continuity) * out)};
}

Slopes slopesAt(const std::vector<FbxKey>& keys, std::size_t i) {
  const FbxKey* before = i > 0 ? &keys[i - 1] : nullptr;
  const FbxKey* after = i + 1 < keys.size() ? &keys[i + 1] : nullptr;
  const FbxKey& key = keys[i];
  if (key.tangent == FbxKey::Tangent::tcb) return tcbSlopes(before, key, after);
  if (key.tangent == FbxKey::Tangent::automatic) {
    if (before == nullptr || after == nullptr) return {};
    const double slope = automaticSlope(*before, key, *after);
    return {slope, slope};
  }
  return {before != nullptr ? before->nextLeftSlope : 0.0, key.rightSlope};
}

} // namespace

std::vector<FbxKey> keysOfCurve(const FbxElement& curve, double ticksPerSecond) {
  const std::vector<std::int64_t> times = toIntegers(findChild(curve, "KeyTime"));
  const std::vector<double> values = toReals(findChild(curve, "KeyValueFloat"));
  const std::vector<std::int64_t> flags = toIntegers(findChild(curve, "KeyAttrFlags"));
  const std::vector<float> data = toFloatsOrBits(findChild(curve, "KeyAttrDataFloat"));
  const std::vector<std::int64_t> counts = toIntegers(findChild(curve, "KeyAttrRefCount"));
  if (values.size() != times.size())
    throw FbxError(fmt::format("a curve has {} times and {} values", times.size(), values.size()));
  if (flags.size() != counts.size() || (!data.empty() && data.size() != 4 * flags.size()))
    throw FbxError(fmt::format("a curve has {} flags, {} counts and {} data of its keys",
                               flags.size(), counts.size(), data.size()));
  std::vector<FbxKey> keys(times.size());
  std::size_t attribute = 0;
  std::int64_t used = 0; // keys that have the attribute so far
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i].seconds = static_cast<double>(times[i]) / ticksPerSecond;
    keys[i].value = values[i];
    if (flags.empty()) continue;
    while (attribute < flags.size() && used >= counts[attribute]) {
      ++attribute;
      used = 0;
    }
    if (attribute == flags.size())
      throw FbxError(fmt::format("a curve has {} keys and attributes of {}", keys.size(), i));
    applyAttributes(flags[attribute], data.empty() ? nullptr : &data[4 * attribute], keys[i]);
    ++used;
  }
  return keys;
}

std::vector<FbxKey> keysOfChannel(const FbxElement& channel, double ticksPerSecond) {
  std::vector<FbxKey> keys;
  const FbxElement* list = findChild(channel, "Key");
  if (list == nullptr) return keys;
  ChannelKeys reader(*list, ticksPerSecond);
  while (!reader.atEnd())
    keys.push_back(reader.take());
  const FbxElement* count = findChild(channel, "KeyCount");
  if (count != nullptr && integerAt(*count, 0, -1) != static_cast<std::int64_t>(keys.size()))
    throw FbxError(fmt::format("a channel says it has {} keys and has {}", integerAt(*count, 0, -1),
                               keys.size()));
  return keys;
}

void tidyKeys(std::vector<FbxKey>& keys, FbxCurveReport& report) {
  const auto isFine = [](const FbxKey& key) {
    return std::abs(key.seconds) < 1e9 && isUsable(static_cast<float>(key.value)) &&
           isUsable(static_cast<float>(key.rightSlope)) &&
           isUsable(static_cast<float>(key.nextLeftSlope)) &&
           std::all_of(key.tcb.begin(), key.tcb.end(),
                       [](double each) { return isUsable(static_cast<float>(each)); });
  };
  report.notFinite += std::erase_if(keys, [&](const FbxKey& key) { return !isFine(key); });
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (keys[i].seconds <= keys[i - 1].seconds) ++report.unordered;
  std::stable_sort(keys.begin(), keys.end(),
                   [](const FbxKey& a, const FbxKey& b) { return a.seconds < b.seconds; });
  std::size_t count = 0;
  for (const FbxKey& key : keys)
    if (count > 0 && keys[count - 1].seconds == key.seconds)
      keys[count - 1] = key;
    else
      keys[count++] = key;
  keys.resize(count);
}

std::vector<FbxSegment> makeSegments(const std::vector<FbxKey>& keys) {
  std::vector<FbxSegment> out;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    FbxSegment& segment = out.emplace_back();
    const FbxKey& key = keys[i];
    const FbxKey& next = keys[i + 1];
    segment.kind = static_cast<FbxSegment::Kind>(key.interpolation);
    if (key.interpolation != FbxKey::Interpolation::cubic) continue;
    segment.rightSlope = slopesAt(keys, i).right;
    segment.leftSlope = next.interpolation == FbxKey::Interpolation::cubic
                            ? slopesAt(keys, i + 1).left
                            : key.nextLeftSlope;
    segment.rightWeight = key.rightWeight;
    segment.leftWeight = key.nextLeftWeight;
  }
  return out;
}

} // namespace sinew
