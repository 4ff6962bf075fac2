#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "core/test_files.h"

#include <doctest/doctest.h>

std::filesystem::path sinew::test::sourceFolder() {
  return SINEW_SOURCE_DIR;
}
