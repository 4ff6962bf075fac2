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

// Like shortenedText() for a control's label, whose part after ## is not shown. The identifier
// behind a shortened label comes from the whole of it.
std::string shortenedLabel(const char* label, float width);

// As Dear ImGui's, but a label without room is shortened, and its tooltip has the whole of it.
// A width of -1 is all the room there is; 0 is that of the label.
bool button(const char* label, float width = 0.0f);
bool checkbox(const char* label, bool* value);
bool header(const char* label); // a section that opens and closes

// The width of a button or of a checkbox with this label.
float buttonWidth(const char* label);
float checkboxWidth(const char* label);

// The next item stands beside the last one where it has room for its width, and true is returned;
// else below it.
bool besideIfRoom(float width);

// One of several beside one another, of which one is chosen.
bool choiceButton(const char* label, bool chosen, float width = 0.0f);

// Writes the name of the next field, which takes the whole width; and at the right its value, which
// a slider's grab would cover.
void labelAbove(const char* name);
void labelAbove(const char* name, const std::string& value);

// A heading under a line; and help on the item just drawn, even if it is disabled.
void section(const char* name);
void itemHelp(const char* text);

// A button as wide as its share of the panel, or a line of its own where its name has no room in
// that share. column: counts from 0 in a line of `columns`.
bool wideButton(const char* name, const char* text, bool enabled, int column, int columns = 2);
bool hasRoomInColumn(const char* name, int columns = 2);

} // namespace sinew
