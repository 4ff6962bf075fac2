#include "import/time_import.h"

#include "core/error.h"
#include "core/stopwatch.h"
#include "import/assimp/steps.h"

#include <cstddef>
#include <cstring>
#include <span>

namespace sinew {
namespace {

constexpr std::size_t kMinRounds = 3;
constexpr std::size_t kMaxRounds = 1000;

struct RoundTimes {
  double own = 0.0;
  double assimp = 0.0; // below 0: it does not read the file
};

template <class Read>
double measureSeconds(const Read& read) {
  const auto start = Clock::now();
  read();
  return secondsSince(start);
}

double secondsOfAssimp(const SourceFile& file, const ImportOptions& options) {
  try {
    return measureSeconds([&] { readScene(file, options); });
  } catch (const Error&) {
    return -1.0;
  }
}

std::vector<std::byte> timeRounds(const std::filesystem::path& path, const ImportOptions& options,
                                  double seconds) {
  const SourceFile file = identifyFile(path, options.maxFileBytes);
  std::vector<RoundTimes> rounds;
  const auto start = Clock::now();
  while (rounds.size() < kMinRounds ||
         (secondsSince(start) < seconds && rounds.size() < kMaxRounds)) {
    RoundTimes round;
    round.own = measureSeconds([&] { importModel(path, options); });
    const bool unreadable = !rounds.empty() && rounds.back().assimp < 0.0;
    round.assimp = unreadable ? -1.0 : secondsOfAssimp(file, options);
    rounds.push_back(round);
  }
  const auto bytes = std::as_bytes(std::span(rounds));
  return {bytes.begin(), bytes.end()};
}

} // namespace

ImportTimes timeImport(const std::filesystem::path& path, const ImportOptions& options,
                       double seconds, const IsolationLimits& limits) {
  const BytesReader reader = [&](const ImportProgress& progress) {
    ImportOptions child = options;
    child.progress = progress;
    return timeRounds(path, child, seconds);
  };
  const std::vector<std::byte> bytes = bytesIsolated(path, reader, options.progress, limits);
  ImportTimes out;
  for (std::size_t at = 0; at + sizeof(RoundTimes) <= bytes.size(); at += sizeof(RoundTimes)) {
    RoundTimes round;
    std::memcpy(&round, bytes.data() + at, sizeof round);
    out.own.push_back(round.own);
    if (round.assimp >= 0.0) out.assimp.push_back(round.assimp);
  }
  return out;
}

} // namespace sinew
