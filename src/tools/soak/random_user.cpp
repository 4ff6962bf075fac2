#include "tools/soak/random_user.h"

#include "skinning/methods.h"
#include "viewer/panels/panels.h"
#include "viewer/viewer_state.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h> // windows

#include <algorithm>
#include <array>
#include <string_view>

namespace sinew {
namespace {

constexpr std::array kTextKeys{ImGuiKey_Enter, ImGuiKey_Backspace, ImGuiKey_Tab};
constexpr float kNear = 60.0f; // window units, from one press to the next

const auto& one(const auto& all, Random& random) {
  return all[random.below(static_cast<std::uint32_t>(all.size()))];
}

Modifiers randomModifiers(Random& random) {
  const std::uint32_t which = random.below(12); // mostly none
  return {.control = which == 0, .shift = which == 1, .alt = which == 2};
}

int randomButton(Random& random) {
  const std::uint32_t which = random.below(10);
  return which < 8 ? 0 : static_cast<int>(which) - 7; // mostly the left one
}

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
void choose(const OptionInfo&, std::string&, Random&) {} // names in the model: randomSettings()
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

vec2 RandomInput::place() {
  if (random_.below(3) == 0)
    return last_ += vec2(random_.uniform(-kNear, kNear), random_.uniform(-kNear, kNear));
  std::vector<const ImGuiWindow*> shown;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && window->InnerClipRect.GetWidth() > 0.0f) shown.push_back(window);
  ImRect area({0.0f, 0.0f}, ImGui::GetIO().DisplaySize);
  const auto which = random_.below(static_cast<std::uint32_t>(shown.size()) + 1);
  if (which < shown.size()) area = shown[which]->InnerClipRect;
  return last_ = {random_.uniform(area.Min.x, area.Max.x), random_.uniform(area.Min.y, area.Max.y)};
}

void RandomInput::press(InputQueue& queue) {
  const int button = randomButton(random_);
  queue.push(randomModifiers(random_));
  queue.moveMouse(place());
  queue.pressButton(button, random_.below(8) == 0);
  for (std::uint32_t moves = random_.below(2) * random_.below(6); moves > 0; --moves)
    queue.moveMouse(place());
  queue.releaseButton(button);
  queue.push(Modifiers());
}

void RandomInput::type() {
  static constexpr std::string_view kLetters = "0123456789.-enaxy \t";
  ImGuiIO& io = ImGui::GetIO();
  for (std::uint32_t more = random_.below(4); more > 0; --more)
    io.AddInputCharacter(static_cast<unsigned char>(one(kLetters, random_)));
  for (const ImGuiKey key : kTextKeys)
    io.KeysDown[ImGui::GetKeyIndex(key)] = random_.below(6) == 0;
}

void RandomInput::add(Viewer& viewer, InputQueue& queue) {
  ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput && random_.below(2) == 0) return type();
  for (const ImGuiKey key : kTextKeys)
    io.KeysDown[ImGui::GetKeyIndex(key)] = false;
  switch (random_.below(20)) {
  case 0:
    return one(viewer.actions, random_).run(viewer);
  case 1:
    return showTab(viewer.session.document, viewer.ui, one(kSideTabs, random_).tab);
  case 2: // else it would stay in dialogs
    return queue.push(Chord{"Escape"});
  case 3:
    io.MouseWheel += random_.uniform(-5.0f, 5.0f);
    return;
  default:
    press(queue);
  }
}

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
