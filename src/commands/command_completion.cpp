// Completion scripts for shells, made from the table of commands.
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "demo/demo.h"
#include "skinning/methods.h"
#include "tools/figures/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <span>

namespace sinew {
namespace {

using Strings = std::vector<std::string>;

std::string joinWords(const Strings& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

template <class Named>
std::vector<std::string> namesIn(std::span<const Named> all, const std::string& prefix = {}) {
  std::vector<std::string> names;
  for (const Named& each : all)
    names.push_back(prefix + std::string(each.name));
  return names;
}

// The words that a value is chosen from: the option's choices, or the names of methods, figures or
// built-in models ("demo:arm", where a file will do too). Empty: anything.
Strings valueWords(const Option& option) {
  if (!option.choices.empty()) return option.choices;
  switch (option.kind) {
  case ValueKind::model:
    return namesIn(demos(), "demo:");
  case ValueKind::method:
    return namesIn(methods());
  case ValueKind::figure:
    return namesIn(figures());
  default:
    return {};
  }
}

bool takesFile(const Option& option) {
  return option.kind == ValueKind::file || option.kind == ValueKind::folder ||
         option.kind == ValueKind::model;
}

// Whether several of the words may be given, separated by commas.
bool takesList(const Option& option) {
  return !option.choices.empty() && !option.onlyChoices;
}

Strings optionNames(const Command& command) {
  Strings names;
  for (const Option& option : command.options) {
    if (option.isPositional()) continue;
    names.insert(names.end(), option.names.begin(), option.names.end());
    names.insert(names.end(), option.negations.begin(), option.negations.end());
  }
  names.emplace_back("--help");
  return names;
}

// Inside single quotes of a POSIX shell, or of fish.
std::string shellQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// What bash does for a value: assignments to `values` and `files`.
std::string bashValue(const Option& option) {
  std::string out = "values=" + shellQuoted(joinWords(valueWords(option), " "));
  if (takesFile(option)) out += option.kind == ValueKind::folder ? " files=-d" : " files=-f";
  return out;
}

std::string bashCommand(const Command& command) {
  std::string out;
  for (const Option& option : command.options) {
    if (option.isPositional() || option.isFlag()) continue;
    Strings patterns;
    for (const std::string& name : option.names)
      patterns.push_back(command.name + ":" + name);
    out += fmt::format("    {}) {} ;;\n", joinWords(patterns, "|"), bashValue(option));
  }
  const auto argument = std::find_if(command.options.begin(), command.options.end(),
                                     [](const Option& option) { return option.isPositional(); });
  out += fmt::format("    {}:*) options={}", command.name,
                     shellQuoted(joinWords(optionNames(command), " ")));
  if (argument != command.options.end()) out += " " + bashValue(*argument);
  return out + " ;;\n";
}

std::string bashScript(const ProgramText& program, std::span<const Command> commands) {
  const Strings names = namesIn(commands);
  std::string cases;
  for (const Command& command : commands)
    cases += bashCommand(command);
  return fmt::format(R"(# bash completion for {0}, made by '{0} completion bash'
_{0}() {{
  local cur prev words cword
  if declare -F _init_completion >/dev/null; then
    _init_completion -n : || return
  else
    cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}}
    words=("${{COMP_WORDS[@]}}") cword=$COMP_CWORD
  fi
  COMPREPLY=()
  local command={1} first=${{words[1]}} options='' values='' files='' head=''
  [[ $cword -gt 1 && " {2} " == *" $first "* ]] && command=$first
  case $command:$prev in
{3}  esac
  [[ $cword -eq 1 ]] && values="{2} $values" options="$options --version"
  [[ $cur == -* ]] && values=$options files=''
  [[ $cur == *,* && -z $files ]] && head=${{cur%,*}},
  COMPREPLY=($(compgen -P "$head" -W "$values" -- "${{cur#"$head"}}"))
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    local IFS=$'\n'
    COMPREPLY+=($(compgen "$files" -- "$cur"))
  fi
  declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "$cur"
  return 0
}}
complete -F _{0} {0}
)",
                     program.name, names.front(), joinWords(names, " "), cases);
}

// The brackets of a description and the colons of a specification are zsh's own.
std::string zshText(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string zshAction(const Option& option) {
  const std::string words = joinWords(valueWords(option), " ");
  if (option.kind == ValueKind::model) return "_sinew_models";
  if (option.kind == ValueKind::folder) return "_files -/";
  if (option.kind == ValueKind::file) return "_files";
  if (takesList(option)) return "_sequence compadd - " + words;
  // An argument with an empty action would keep zsh from completing options before it.
  if (words.empty()) return option.isPositional() ? "_nothing" : "";
  return "(" + words + ")";
}

std::string zshOption(const Option& option) {
  const std::string value = zshText(option.valueText(), "\\:");
  if (option.isPositional())
    return shellQuoted(
        fmt::format(":{}:{}", zshText(option.names.front(), "\\:"), zshAction(option)));
  std::string out;
  for (const Strings* names : {&option.names, &option.negations})
    for (const std::string& name : *names) {
      std::string text = fmt::format("*{}[{}]", name, zshText(option.help, "\\[]"));
      if (!option.isFlag()) text += fmt::format(":{}:{}", value, zshAction(option));
      out += (out.empty() ? "" : " \\\n        ") + shellQuoted(text);
    }
  return out;
}

std::string zshScript(const ProgramText& program, std::span<const Command> commands) {
  std::string described;
  std::string cases;
  Option model;
  model.kind = ValueKind::model;
  for (const Command& command : commands) {
    described += "    " + shellQuoted(command.name + ":" + zshText(command.summary, "\\:")) + "\n";
    cases += fmt::format("    {})\n      _arguments -S ", command.name);
    for (const Option& option : command.options)
      cases += "\\\n        " + zshOption(option) + " ";
    cases += "\\\n        '*--help[print help]' ;;\n";
  }
  return fmt::format(R"(#compdef {0}
# zsh completion for {0}, made by '{0} completion zsh'
_{0}_models() {{
  compadd -- {1}
  _files
}}
_{0}() {{
  local -a commands=(
{2}  )
  local command={3}
  if (( CURRENT == 2 )); then
    _describe command commands
  elif (( ${{commands[(I)${{words[2]}}:*]}} )); then
    command=${{words[2]}}
    shift words
    (( CURRENT-- ))
  fi
  case $command in
{4}  esac
}}
_{0} "$@"
)",
                     program.name, joinWords(valueWords(model), " "), described,
                     commands.front().name, cases);
}

// One `complete` line; condition: a fish command.
std::string fishOption(const ProgramText& program, const std::string& condition,
                       const Option& option) {
  std::string out = fmt::format("complete -c {} -n {}", program.name, shellQuoted(condition));
  const std::string words = joinWords(valueWords(option), " ");
  if (!option.isPositional()) {
    for (const std::string& name : option.names)
      out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.isFlag()) out += takesFile(option) ? " -r -F" : " -x";
  } else {
    out += takesFile(option) ? " -F" : " -f";
  }
  if (!words.empty())
    out += takesList(option) ? fmt::format(" -a '(__fish_append , {})'", words)
                             : " -a " + shellQuoted(words);
  out += fmt::format(" -d {}\n", shellQuoted(option.help));
  for (const std::string& name : option.negations)
    out += fmt::format("complete -c {} -n {} -l {} -d {}\n", program.name, shellQuoted(condition),
                       name.substr(2), shellQuoted(option.help));
  return out;
}

std::string fishScript(const ProgramText& program, std::span<const Command> commands) {
  const Strings names = namesIn(commands);
  std::string out = fmt::format("# fish completion for {0}, made by '{0} completion fish'\n"
                                "complete -c {0} -l help -s h -d 'print help'\n"
                                "complete -c {0} -n __fish_use_subcommand -l version -d 'print "
                                "the version'\n",
                                program.name);
  for (const Command& command : commands)
    out += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", program.name,
                       command.name, shellQuoted(command.summary));
  for (const Command& command : commands) {
    // A line without a command means the first one.
    const bool first = &command == &commands.front();
    const std::string condition = first ? "not __fish_seen_subcommand_from " +
                                              joinWords({names.begin() + 1, names.end()}, " ")
                                        : "__fish_seen_subcommand_from " + command.name;
    const bool argument = std::any_of(command.options.begin(), command.options.end(),
                                      [](const Option& o) { return o.isPositional(); });
    if (!argument)
      out += fmt::format("complete -c {} -n {} -f\n", program.name, shellQuoted(condition));
    for (const Option& option : command.options)
      out += fishOption(program, condition, option);
  }
  return out;
}

} // namespace

// The scripts complete commands, their options, and the values that are chosen from a list or are
// files. Lists after the last comma too ("--method lbs,dq"). A line without a command is completed
// as the first one, which it means.
Command completionCommand() {
  auto shell = std::make_shared<std::string>();
  Command command{"completion", "A completion script for bash, zsh or fish"};
  command.add("SHELL", shell.get(), "the shell").allow({"bash", "zsh", "fish"}).required();
  command.examples = {"source <(sinew completion bash)",
                      "sinew completion fish > ~/.config/fish/completions/sinew.fish"};
  command.run = [shell](const Command&) {
    const auto makeScript = *shell == "bash"  ? bashScript
                            : *shell == "zsh" ? zshScript
                                              : fishScript;
    print(makeScript(programText(), allCommands()));
    return ExitCode::done;
  };
  return command;
}

} // namespace sinew
