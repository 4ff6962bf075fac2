#include "core/text.h"

#include <doctest/doctest.h>

#include <vector>

using namespace sinew;

TEST_CASE("printable text: no character of it moves a cursor or turns the direction of writing") {
  CHECK(printable("a\x1b[31m\n\t\r\x7f") == "a [31m    ");
  CHECK(printable("\xc2\x9b-") == " -"); // C1
  CHECK(printable("\xe2\x80\xae|\xe2\x80\xa8|\xe2\x81\xa6|") == " | | |");
  CHECK(printable("\x9b|\xff") == " |\xff"); // no UTF-8
}

TEST_CASE("printable text: letters of all scripts stay as they are") {
  for (const char* text :
       {"na\xc3\xafve", "\xe9\xaa\xa8", "\xf0\x9f\xa6\xb4", "\xc2\xa0", "\xe2\x80\x93"})
    CHECK(printable(text) == text);
}

TEST_CASE("split: empty parts count, but nothing behind the last separator does") {
  using Parts = std::vector<std::string>;
  CHECK(split("", ',') == Parts{});
  CHECK(split("a", ',') == Parts{"a"});
  CHECK(split("a,,b,", ',') == Parts{"a", "", "b"});
  CHECK(split(",", ',') == Parts{""});
}

TEST_CASE("nearest name: mistyped words find theirs, other words find none") {
  const std::vector<std::string> names{"view", "info", "render", "ragdoll", "zones"};
  CHECK(nearestName("rendr", names) == "render");   // a letter too few
  CHECK(nearestName("rennder", names) == "render"); // too many
  CHECK(nearestName("ernder", names) == "render");  // two swapped
  CHECK(nearestName("RENDER", names) == "render");
  CHECK(nearestName("ragdol", names) == "ragdoll");
  CHECK(nearestName("veiw", names) == "view");
  CHECK(nearestName("zoo", names).empty());
  CHECK(nearestName("elephant", names).empty());
  CHECK(nearestName("", names).empty());
  CHECK(nearestName("view", {}).empty());
}
