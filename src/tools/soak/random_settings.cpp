#include "tools/soak/random_settings.h"

#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

constexpr float kPast = 30.0f; // seconds before and after the beginning of a clip

bool coin(Random& random) {
  return random.below(2) == 0;
}

// The text of an option that is a word or a list of words.
std::string randomText(const OptionInfo& info, Random& random) {
  if (info.choices.empty()) return {};
  const auto word = [&] {
    return info.choices[random.below(static_cast<std::uint32_t>(info.choices.size()))];
  };
  std::string text = word();
  if (info.name == "method")
    for (std::uint32_t more = random.below(3); more > 0; --more)
      text += "," + word();
  return text;
}

void choose(const OptionInfo& info, bool& field, Random& random) {
  if (info.name != "statistics") field = coin(random);
}
void choose(const OptionInfo& info, int& field, Random& random) {
  const int low = static_cast<int>(info.minimum);
  const int high = static_cast<int>(info.maximum);
  field = low + static_cast<int>(random.below(static_cast<std::uint32_t>(high - low) + 1));
}
void choose(const OptionInfo& info, float& field, Random& random) {
  if (info.name == "time")
    field = random.uniform(-kPast, kPast);
  else if (info.maximum > info.minimum && !info.name.starts_with("range"))
    field = random.uniform(info.minimum, info.maximum);
}
void choose(const OptionInfo&, Backdrop& field, Random& random) {
  field.kind = static_cast<BackdropKind>(random.below(4));
  if (field.kind == BackdropKind::color)
    field.color = {random.uniform(), random.uniform(), random.uniform()};
}
void choose(const OptionInfo&, std::string&, Random&) {} // of the model
void choose(const OptionInfo& info, TextSetting auto& field, Random& random) {
  if (info.name == "difference" && coin(random)) return;
  if (const std::string text = randomText(info, random); !text.empty()) readSetting(text, field);
}

// One colouring at a time: checkSettings().
void chooseColoring(const Model& model, Settings& settings, Random& random) {
  const std::uint32_t kind = settings.difference ? 0 : random.below(3);
  settings.boneColors = kind == 1;
  const std::vector<std::uint32_t> joints = jointNodes(model);
  if (kind == 2 && !joints.empty())
    settings.weightsJoint =
        model.hierarchy.nodes[joints[random.below(static_cast<std::uint32_t>(joints.size()))]].name;
}

void chooseClip(const Model& model, Settings& settings, Random& random) {
  const auto clips = static_cast<std::uint32_t>(model.clips.size());
  const std::uint32_t which = random.below(clips + 2);
  settings.clip = which < clips ? fmt::format("{}", which) : which == clips ? "none" : "bind";
  if (which >= clips || coin(random)) return;
  const float duration = model.clips[which].seconds;
  const float a = random.uniform() * duration;
  const float b = random.uniform() * duration;
  settings.rangeStart = std::min(a, b);
  settings.rangeEnd = std::max(a, b);
}

} // namespace

Settings randomSettings(const Model& model, Random& random, const Settings* bound) {
  Settings settings;
  visitSettings(settings,
                [&](const OptionInfo& info, auto& field) { choose(info, field, random); });
  if (bound != nullptr) {
    settings.methods = bound->methods;
    settings.parameters = bound->parameters;
    settings.influences = bound->influences;
    settings.difference = bound->difference;
    settings.palette = bound->palette;
  }
  if (bound == nullptr || !bound->difference)
    chooseColoring(model, settings, random);
  else
    settings.boneColors = false;
  chooseClip(model, settings, random);
  return settings;
}

} // namespace sinew
