#include "commands/command_line.h"
#include "commands/commands.h"
#include "core/error.h"

#include <doctest/doctest.h>

#include <set>

using namespace sinew;

namespace {

struct Fields {
  int count = 1;
  std::vector<float> direction;
  std::string device = "cpu";
  bool grid = true;
  std::string order;
  double scale = 1.0;
};

std::vector<Command> makeCommands(Fields& fields) {
  Command command{"draw", "Draws"};
  command.add("--count,-c", &fields.count, "how many").range(1, 9).showDefault();
  command.add("--toward", &fields.direction, "where to").separatedByCommas().count(3);
  command.add("--device", &fields.device, "by what").allow({"cpu", "gpu"});
  command.add("--grid,!--no-grid", &fields.grid, "the ground");
  command.add("--scale", &fields.scale, "how large").range(0.0, 10.0);
  command.add(
      "--first", [&fields] { fields.order += "1"; }, "applied first");
  command.add(
      "--second", [&fields](int value) { fields.order += std::to_string(value); }, "then");
  command.add("--alone", &fields.order, "without the others").without({"--first"});
  return {command};
}

const Command* parse(std::vector<Command>& table, std::vector<std::string> words) {
  words.insert(words.begin(), "draw");
  return parseCommandLine(table, {"test", "Tests", "test 1", ""}, std::move(words));
}

} // namespace

TEST_CASE("command line: fields are filled, and what was given is known") {
  Fields fields;
  std::vector<Command> table = makeCommands(fields);
  const Command* command =
      parse(table, {"-c", "3", "--toward", "1,2,3", "--device", "gpu", "--no-grid"});
  REQUIRE(command == table.data());
  CHECK(fields.count == 3);
  CHECK(fields.direction == std::vector<float>{1, 2, 3});
  CHECK(fields.device == "gpu");
  CHECK(!fields.grid);
  CHECK(command->given("--count"));
  CHECK(command->given("--no-grid"));
  CHECK(!command->given("--first"));
}

TEST_CASE("command line: an option of one value may be repeated, and takes no other word") {
  std::vector<std::string> joints;
  std::string model;
  Command command{"draw", "Draws"};
  command.add("--joint", &joints, "of one").count(1);
  command.add("MODEL", &model, "what");
  std::vector<Command> table{command};
  parse(table, {"--joint", "a,b", "--joint", "c", "model.glb"});
  CHECK(joints == std::vector<std::string>{"a,b", "c"});
  CHECK(model == "model.glb");
}

TEST_CASE("command line: options are applied in the order of the table") {
  Fields fields;
  std::vector<Command> table = makeCommands(fields);
  parse(table, {"--second", "2", "--first"});
  CHECK(fields.order == "12");
}

TEST_CASE("command line: what does not suit is a usage error that names the option") {
  const std::vector<std::vector<std::string>> wrong = {
      {"--count", "10"},   {"--count", "x"},    {"--toward", "1,2"},
      {"--device", "tpu"}, {"--none"},          {"more"},
      {"--scale", "nan"},  {"--scale", "-inf"}, {"--alone", "a", "--first"}};
  for (const auto& words : wrong) {
    CAPTURE(words[0]);
    Fields fields;
    std::vector<Command> table = makeCommands(fields);
    try {
      parse(table, words);
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.cause() == ErrorCause::usage);
      CHECK(std::string(error.what()).find(words[0]) != std::string::npos);
    }
  }
}

TEST_CASE(
    "command line: an unknown option comes before what is missing, with the one that was meant") {
  std::string output;
  bool quiet = false;
  Command command{"draw", "Draws"};
  command.add("--output,-o", &output, "where to").required();
  command.add("--quiet", &quiet, "says nothing");
  std::vector<Command> table{command};
  CHECK_THROWS_WITH(parse(table, {"--ouptut", "a", "--quite"}),
                    "unknown option '--ouptut'; did you mean --output? see sinew draw --help");
  CHECK_THROWS_WITH(parse(table, {"-o", "a", "b", "c"}),
                    "unexpected argument 'b'; see sinew draw --help");
}

TEST_CASE("commands: every one is complete, and no name means two options") {
  std::set<std::string> names;
  for (const Command& command : allCommands()) {
    CAPTURE(command.name);
    CHECK(names.insert(command.name).second);
    CHECK(!command.summary.empty());
    CHECK(command.run);
    CHECK(command.has("--quiet"));
    std::set<std::string> options;
    for (const Option& option : command.options) {
      REQUIRE(!(option.names.empty() && option.negations.empty()));
      CHECK(!option.help.empty());
      for (const auto& each : {option.names, option.negations})
        for (const std::string& name : each)
          CHECK_MESSAGE(options.insert(name).second, name);
    }
    for (const std::string& example : command.examples)
      CHECK(example.find("sinew ") != std::string::npos);
  }
}
