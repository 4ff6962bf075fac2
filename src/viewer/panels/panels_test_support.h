// Dear ImGui as the window has it, without a window. Header only: used by tests alone.
#pragma once

#include "viewer/window/theme.h"

#include <imgui/imgui.h>

namespace sinew::test {

// Between NewFrame() and EndFrame() panels lay themselves out in it; nobody draws them.
struct Interface {
  ImGuiContext* context = ImGui::CreateContext();

  Interface(float width, float height, float scale = 1.0f) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {width, height};
    io.DeltaTime = 1.0f / 60.0f;
    io.IniFilename = nullptr;
    applyTheme(scale, false);
    unsigned char* pixels = nullptr;
    int w = 0, h = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
  }
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
  ~Interface() { ImGui::DestroyContext(context); }
};

} // namespace sinew::test
