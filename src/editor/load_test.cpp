#include "editor/load.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("load: a message falls into file, reason and remedy") {
  MessageParts parts = partsOf(inputError("/a: b/c.x", "is empty", "export it again").what());
  CHECK(parts.what.find("is empty") != std::string::npos);
  CHECK(parts.remedy == "export it again");
  parts = partsOf(inputError("c.x", "no such file").what());
  CHECK(parts.file == "c.x");
  CHECK(parts.what == "no such file");
  CHECK(parts.remedy.empty());
  parts = partsOf("odd");
  CHECK(parts.what == "odd");
  CHECK(parts.file.empty());
}

} // namespace sinew
