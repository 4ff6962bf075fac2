#include "viewer/window/window_input.h"

#include <doctest/doctest.h>
#include <imgui/imgui.h>

namespace sinew {
namespace {

// Two presses of the left button at one place, in frames of that length.
bool isDoubleClick(float frameSeconds, bool twice) {
  ImGuiContext* before = ImGui::GetCurrentContext();
  ImGuiContext* context = ImGui::CreateContext();
  ImGui::SetCurrentContext(context);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {640, 480};
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  bool seen = false;
  for (int i = 0; i < 6; ++i) {
    io.DeltaTime = frameSeconds;
    io.MousePos = {100, 100};
    FrameInput input;
    input.mouse = vec2(100, 100);
    input.down[0] = i == 1 || i == 3;
    input.doubleClick = twice && i == 3;
    showMouse(input);
    ImGui::NewFrame();
    seen |= ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    ImGui::EndFrame();
  }
  ImGui::SetCurrentContext(nullptr);
  ImGui::DestroyContext(context);
  ImGui::SetCurrentContext(before);
  return seen;
}

TEST_CASE("a double click counts as one in frames that last longer than it") {
  CHECK(isDoubleClick(0.02f, true));
  CHECK(isDoubleClick(0.5f, true));
  CHECK_FALSE(isDoubleClick(0.5f, false));
}

} // namespace
} // namespace sinew
