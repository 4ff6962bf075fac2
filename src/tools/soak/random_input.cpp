#include "tools/soak/random_input.h"

#include "viewer/panels/panels.h"
#include "viewer/viewer_state.h"

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h> // windows

#include <array>
#include <string_view>

namespace sinew {
namespace {

constexpr std::array kTextKeys{ImGuiKey_Enter, ImGuiKey_Backspace, ImGuiKey_Tab};
constexpr float kNear = 60.0f; // window units, from one press to the next

constexpr auto kTabs = static_cast<std::uint32_t>(SideTab::ragdoll) + 1; // the last

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
    return showTab(viewer.session.document, viewer.ui, static_cast<SideTab>(random_.below(kTabs)));
  case 2: // else it would stay in dialogs
    return queue.push(Chord{"Escape"});
  case 3:
    io.MouseWheel += random_.uniform(-5.0f, 5.0f);
    return;
  default:
    press(queue);
  }
}

} // namespace sinew
