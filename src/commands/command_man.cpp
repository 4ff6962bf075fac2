// The manual as man(7) text, made from the table of commands.
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <span>
#include <type_traits>

namespace sinew {
namespace {

// Text as man(7) prints it: '-' is a minus that can be copied, and no line is a request.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", escaped(text));
}

std::string italic(std::string_view text) {
  return fmt::format("\\fI{}\\fR", escaped(text));
}

std::string heading(const ProgramText& program, std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".\\\" Made by '{} man' from the table of commands.\n"
                     ".TH {} 1 \"\" \"{}\" \"User Commands\"\n",
                     program.name, escaped(name), escaped(program.version));
}

// Lines as they are: notes are written to be read in a terminal.
std::string verbatim(const std::string& lines) {
  return ".nf\n" + escaped(lines) + "\n.fi\n";
}

// What the option's field holds: "4", "lbs"; empty where it holds nothing or is not a field.
std::string defaultText(const Option& option) {
  if (!option.heldText.empty()) return option.heldText;
  return std::visit(
      []<class Target>(const Target& target) -> std::string {
        if constexpr (std::is_pointer_v<Target>) {
          using Value = std::remove_pointer_t<Target>;
          if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>)
            return fmt::format("{}", *target);
          else if constexpr (std::is_same_v<Value, std::vector<int>> ||
                             std::is_same_v<Value, std::vector<float>> ||
                             std::is_same_v<Value, std::vector<std::string>>)
            return fmt::format("{}", fmt::join(*target, ","));
        }
        return {};
      },
      option.target);
}

std::string optionEntry(const Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names)
    names.push_back(bold(name));
  for (const std::string& name : option.negations)
    names.push_back(bold(name));
  std::string out = fmt::format(".TP\n{}", fmt::join(names, ", "));
  const std::string value = option.valueText();
  if (!option.isPositional() && !value.empty()) out += " " + italic(value);
  out += "\n" + escaped(option.help);
  if (option.isPositional() && !option.choices.empty()) out += ": " + escaped(value);
  if (const std::string held = defaultText(option); option.hasDefault && !held.empty())
    out += " [" + escaped(held) + "]";
  if (option.allowed && option.valueName.empty())
    out += escaped(fmt::format(" ({} to {})", option.allowed->min, option.allowed->max));
  if (option.isRequired && !option.isPositional()) out += " (required)";
  return out + "\n";
}

// The options group by group, in the order in which the groups appear.
std::string optionSections(const Command& command) {
  std::vector<std::string> groups;
  for (const Option& option : command.options)
    if (!option.isPositional() &&
        std::find(groups.begin(), groups.end(), option.group) == groups.end())
      groups.push_back(option.group);
  std::string out;
  for (const Option& option : command.options)
    if (option.isPositional()) out += (out.empty() ? ".SH ARGUMENTS\n" : "") + optionEntry(option);
  if (!groups.empty()) out += ".SH OPTIONS\n";
  for (const std::string& group : groups) {
    if (!group.empty()) out += ".SS " + escaped(group) + "\n";
    for (const Option& option : command.options)
      if (!option.isPositional() && option.group == group) out += optionEntry(option);
  }
  return out;
}

// sinew(1): the program and the list of its commands.
std::string programPage(const ProgramText& program, std::span<const Command> commands) {
  std::string out = heading(program, program.name);
  out += fmt::format(".SH NAME\n{} \\- {}\n", program.name, escaped(program.summary));
  out += fmt::format(".SH SYNOPSIS\n.B {0}\n{1}\n.br\n.B {0}\n{2} [{3} ...]\n.br\n.B {0}\n"
                     "{4} | {5}\n",
                     program.name, italic("[MODEL]"), italic("COMMAND"), italic("ARGUMENT"),
                     bold("--help"), bold("--version"));
  out += ".SH DESCRIPTION\n" + verbatim(program.notes);
  out += ".SH COMMANDS\nEach has a page of its own, and "
         "\\fB\\-\\-help\\fR.\n";
  for (const Command& command : commands)
    out += fmt::format(".TP\n.BR {}\\-{} (1)\n{}\n", program.name, escaped(command.name),
                       escaped(command.summary));
  return out;
}

// sinew-NAME(1): a command with all its options and examples.
std::string commandPage(const ProgramText& program, const Command& command) {
  const std::string name = program.name + "-" + command.name;
  std::string out = heading(program, name);
  out += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(command.summary));
  out += fmt::format(".SH SYNOPSIS\n.B {} {}\n", program.name, escaped(command.name));
  for (const Option& option : command.options)
    if (option.isPositional())
      out += italic(option.isRequired ? option.names.front() : "[" + option.names.front() + "]") +
             "\n";
  out += fmt::format("[{} ...]\n", italic("OPTION"));
  if (!command.notes.empty()) out += ".SH DESCRIPTION\n" + verbatim(command.notes);
  out += optionSections(command);
  if (!command.examples.empty())
    out += ".SH EXAMPLES\n" + verbatim(fmt::format("{}", fmt::join(command.examples, "\n")));
  out += fmt::format(".SH SEE ALSO\n.BR {} (1)\n", program.name);
  return out;
}

} // namespace

Command manCommand(std::vector<std::string> commandNames) {
  auto name = std::make_shared<std::string>();
  Command command{"man", "The manual page of the program or a command, for man -l"};
  command.add("COMMAND", name.get(), "a command's name; none: the program's own page")
      .allow(std::move(commandNames));
  command.examples = {"sinew man render | man -l -"};
  command.run = [name](const Command&) {
    const std::vector<Command> commands = allCommands();
    if (name->empty()) {
      print(programPage(programText(), commands));
      return ExitCode::done;
    }
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& each) { return each.name == *name; });
    print(commandPage(programText(), *found));
    return ExitCode::done;
  };
  return command;
}

} // namespace sinew
