#include "viewer/window/theme.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>

namespace sinew {
namespace {

constexpr float kTextSize = 15.0f;

// Latin, Greek, Cyrillic, punctuation and arrows: what names of joints and clips are written in.
const ImWchar kGlyphs[] = {0x0020, 0x024f, 0x0370, 0x052f, 0x2010, 0x205e, 0x2190, 0x21ff, 0};

// What a font lacks comes from the next one that is installed.
void addFont(std::initializer_list<const char*> candidates, float size) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFontConfig config;
  config.OversampleH = 2;
  for (const char* candidate : candidates) {
    const std::string path = std::string("/usr/share/fonts/") + candidate;
    if (std::error_code error; !std::filesystem::exists(path, error)) continue;
    if (atlas.AddFontFromFileTTF(path.c_str(), size, &config, kGlyphs) != nullptr)
      config.MergeMode = true;
  }
  if (config.MergeMode) return;
  config.SizePixels = std::floor(size * 13.0f / kTextSize); // its pixels are drawn for 13
  atlas.AddFontDefault(&config);
}

// All digits as wide as the widest: numbers that change do not move what follows them.
void makeDigitsTabular(ImFont& font) {
  const auto isDigit = [](const ImFontGlyph& glyph) {
    return glyph.Codepoint >= '0' && glyph.Codepoint <= '9';
  };
  float widest = 0.0f;
  for (const ImFontGlyph& glyph : font.Glyphs)
    if (isDigit(glyph)) widest = std::max(widest, glyph.AdvanceX);
  for (ImFontGlyph& glyph : font.Glyphs) {
    if (!isDigit(glyph)) continue;
    const float room = std::round(0.5f * (widest - glyph.AdvanceX));
    glyph.X0 += room;
    glyph.X1 += room;
    glyph.AdvanceX = widest;
    font.IndexAdvanceX[static_cast<int>(glyph.Codepoint)] = widest;
  }
}

bool lightColors = false;

void setColors(ImGuiStyle& style) {
  if (lightColors)
    ImGui::StyleColorsLight(&style);
  else
    ImGui::StyleColorsDark(&style);
  const auto set = [&](ImGuiCol which, unsigned dark, unsigned light, float alpha = 1.0f) {
    const unsigned rgb = lightColors ? light : dark;
    style.Colors[which] = ImVec4(static_cast<float>(rgb >> 16 & 255u) / 255.0f,
                                 static_cast<float>(rgb >> 8 & 255u) / 255.0f,
                                 static_cast<float>(rgb & 255u) / 255.0f, alpha);
  };
  set(ImGuiCol_Text, 0xdfe3e8, 0x1d2127);
  set(ImGuiCol_TextDisabled, 0x8b939e, 0x6d7682);
  set(ImGuiCol_WindowBg, 0x1b1e23, 0xf3f4f6);
  set(ImGuiCol_PopupBg, 0x22262c, 0xfbfbfc, 0.98f);
  set(ImGuiCol_MenuBarBg, 0x15171b, 0xe6e8eb);
  set(ImGuiCol_Border, 0x32373f, 0xc6cbd2);
  set(ImGuiCol_FrameBg, 0x333a44, 0xd6dbe1);
  set(ImGuiCol_FrameBgHovered, 0x3e4752, 0xc9d0d8);
  set(ImGuiCol_FrameBgActive, 0x475260, 0xbcc5cf);
  set(ImGuiCol_TitleBg, 0x15171b, 0xe6e8eb);
  set(ImGuiCol_TitleBgActive, 0x15171b, 0xe6e8eb);
  set(ImGuiCol_Button, 0x313741, 0xdcdfe4);
  set(ImGuiCol_ButtonHovered, 0x3f4854, 0xcdd3da);
  set(ImGuiCol_ButtonActive, 0x2c6fbb, 0x2c6fbb);
  set(ImGuiCol_Header, 0x2a3a4f, 0xc9dcf2);
  set(ImGuiCol_HeaderHovered, 0x33475f, 0xb7d0ec);
  set(ImGuiCol_HeaderActive, 0x2c6fbb, 0x8db8e6);
  set(ImGuiCol_CheckMark, 0x5aa9f5, 0x1f6fbf);
  set(ImGuiCol_SliderGrab, 0x4a90d9, 0x4a90d9);
  set(ImGuiCol_SliderGrabActive, 0x7ab8f5, 0x2c6fbb);
  set(ImGuiCol_Tab, 0x1b1e23, 0xf3f4f6);
  set(ImGuiCol_TabActive, 0x2a3a4f, 0xc9dcf2);
  set(ImGuiCol_TabHovered, 0x33475f, 0xb7d0ec);
  set(ImGuiCol_TabUnfocused, 0x1b1e23, 0xf3f4f6);
  set(ImGuiCol_TabUnfocusedActive, 0x2a3a4f, 0xc9dcf2);
  set(ImGuiCol_Separator, 0x32373f, 0xc6cbd2);
  set(ImGuiCol_ResizeGrip, 0x1b1e23, 0xf3f4f6, 0.0f);
  set(ImGuiCol_PlotLines, 0x5aa9f5, 0x1f6fbf);
  set(ImGuiCol_PlotHistogram, 0x4a90d9, 0x4a90d9);
  set(ImGuiCol_ModalWindowDimBg, 0x0a0b0d, 0x50555c, 0.55f);
  set(ImGuiCol_TextSelectedBg, 0x2c6fbb, 0x8db8e6, 0.6f);
  set(ImGuiCol_TableRowBgAlt, 0xffffff, 0x000000, 0.03f);
}

} // namespace

void applyTheme(float scale, bool light) {
  lightColors = light;
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  setColors(style);
  style.WindowRounding = 0.0f;
  style.PopupRounding = 5.0f;
  style.FrameRounding = 4.0f;
  style.GrabRounding = 4.0f;
  style.TabRounding = 4.0f;
  style.ScrollbarRounding = 6.0f;
  style.WindowPadding = ImVec2(12, 10);
  style.FramePadding = ImVec2(8, 4);
  style.ItemSpacing = ImVec2(8, 6);
  style.ItemInnerSpacing = ImVec2(7, 4);
  style.IndentSpacing = 15.0f;
  style.ScrollbarSize = 12.0f;
  style.WindowTitleAlign = ImVec2(0.02f, 0.5f);
  style.ScaleAllSizes(scale);
  style.WindowBorderSize = 1.0f;

  ImGui::GetIO().Fonts->Clear();
  const float size = std::round(kTextSize * scale);
  const auto text = {"opentype/inter/Inter-Regular.otf", "truetype/noto/NotoSans-Regular.ttf",
                     "truetype/dejavu/DejaVuSans.ttf",
                     "truetype/liberation/LiberationSans-Regular.ttf"};
  addFont(text, size);
  addFont({"opentype/inter/Inter-SemiBold.otf", "truetype/noto/NotoSans-Bold.ttf",
           "truetype/dejavu/DejaVuSans-Bold.ttf", "truetype/liberation/LiberationSans-Bold.ttf"},
          std::round(1.1f * size));
  addFont({"truetype/noto/NotoSansMono-Regular.ttf", "truetype/dejavu/DejaVuSansMono.ttf",
           "truetype/liberation/LiberationMono-Regular.ttf"},
          std::round(0.9f * size));
  addFont(text, std::round(0.88f * size));
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Build();
  for (ImFont* font : atlas.Fonts)
    makeDigitsTabular(*font);
}

float scaled(float units) {
  return units * ImGui::GetIO().Fonts->Fonts[0]->FontSize / kTextSize;
}

float framePixels(float units) {
  return scaled(units) * ImGui::GetIO().DisplayFramebufferScale.x;
}

ImFont* boldFont() {
  return ImGui::GetIO().Fonts->Fonts[1];
}
ImFont* monoFont() {
  return ImGui::GetIO().Fonts->Fonts[2];
}
ImFont* smallFont() {
  return ImGui::GetIO().Fonts->Fonts[3];
}

ImVec4 accentColor() {
  return lightColors ? ImVec4(0.08f, 0.40f, 0.75f, 1.0f) : ImVec4(0.35f, 0.66f, 0.96f, 1.0f);
}
ImVec4 faintColor() {
  return lightColors ? ImVec4(0.38f, 0.41f, 0.46f, 1.0f) : ImVec4(0.55f, 0.58f, 0.62f, 1.0f);
}
ImVec4 warningColor() {
  return lightColors ? ImVec4(0.60f, 0.38f, 0.00f, 1.0f) : ImVec4(0.96f, 0.76f, 0.35f, 1.0f);
}
ImVec4 errorColor() {
  return lightColors ? ImVec4(0.74f, 0.13f, 0.10f, 1.0f) : ImVec4(0.97f, 0.47f, 0.42f, 1.0f);
}

} // namespace sinew
