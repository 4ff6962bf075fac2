#include "core/utf8.h"

#include <doctest/doctest.h>

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
