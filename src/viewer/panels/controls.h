// The control of one option, by the kind of its field; and what panels share.
#pragma once

#include "app/settings.h"

#include <string>
#include <string_view>

namespace sinew {

void control(const OptionInfo& info, bool& value);
void control(const OptionInfo& info, int& value);
void control(const OptionInfo& info, float& value);
void control(const OptionInfo& info, Backdrop& value);
void control(const OptionInfo& info, std::string& value); // only with choices; else nothing

// A control for a choice, by its words.
template <TextSetting T>
void control(const OptionInfo& info, T& value) {
  const std::string before = settingText(value);
  std::string text = before;
  control(info, text);
  if (text != before) readSetting(text, value);
}

// "light-yaw" -> "Light yaw"
std::string optionLabel(std::string_view name);

// The help of what is under the mouse, and the option for it on the command line.
void tooltip(std::string_view help, const std::string& option);
void tooltip(const OptionInfo& info);
std::string optionFor(const OptionInfo& info);
std::string optionFor(const Parameter& parameter); // the option of a method's parameter

// The text, or its beginning and an ellipsis in that width: whoever draws it has the whole of it in
// a tooltip.
std::string shortenedText(const std::string& text, float width);

// The text in lines of at most that width, broken between words.
std::string wrappedText(const std::string& text, float width);

// One of several beside one another, of which one is chosen.
bool choiceButton(const char* label, bool chosen, float width = 0.0f);

// Writes the name of the next field, which takes the whole width; and at the right its value, which
// a slider's grab would cover.
void labelAbove(const char* name);
void labelAbove(const char* name, const std::string& value);

// A heading under a line; and help on the item just drawn, even if it is disabled.
void section(const char* name);
void itemHelp(const char* text);

// A button as wide as its share of the panel. column: counts from 0 in a line of `columns`.
bool wideButton(const char* name, const char* text, bool enabled, int column, int columns = 2);

} // namespace sinew
