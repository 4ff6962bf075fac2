// Looks: colours, spacing and fonts.
#pragma once

struct ImFont;
struct ImVec4;

namespace sinew {

// Sets style and fonts of the current ImGui context for a desktop scale (1: about 96 dots an inch).
// Fonts are Inter, Noto Sans and DejaVu Sans, those that are installed: what one lacks, the next
// has. Without any: ImGui's own, scaled.
void applyTheme(float scale, bool light);

// A length in ImGui units that is `units` at scale 1.
float scaled(float units);

// The same length in framebuffer pixels.
float framePixels(float units);

ImFont* boldFont(); // larger, for headings
ImFont* monoFont();
ImFont* smallFont(); // for secondary text

ImVec4 accentColor();
ImVec4 faintColor(); // for secondary text
ImVec4 warningColor();
ImVec4 errorColor();

} // namespace sinew
