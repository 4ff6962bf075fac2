// Reads models on a background thread, one wanted at a time.
//
// What is read becomes visible in one step, through take(). Cancelling (or starting another) lets
// go at once: the thread is told to stop and its result, should there be one, is thrown away. The
// threads share nothing with the caller but their own state.
#pragma once

#include "app/workbench.h"
#include "core/error.h"
#include "import/import_model.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sinew {

// A model made ready on the thread, so that handing it over costs the window nothing.
struct Imported {
  Workbench bench;
  Bounds bounds; // posedBounds
};

struct ImportFailure {
  std::string message; // one line: file, what, remedy
  ExitCode code = ExitCode::input;
};

class Importer {
 public:
  using Load = std::function<Imported(const ImportProgress& progress)>;
  using Result = std::variant<Imported, ImportFailure>;

  // wake is called on the thread when there is something new to show; it may be empty.
  explicit Importer(std::function<void()> wake = {}) : wake_(std::move(wake)) {}
  Importer(const Importer&) = delete;
  Importer& operator=(const Importer&) = delete;
  ~Importer();

  void start(std::string name, Load load);
  void cancel();
  bool running() const { return current_ != nullptr; }

  struct Progress {
    std::string name;
    std::string what;
    float fraction = 0.0f;
    double seconds = 0.0; // since the start
  };
  Progress progress() const; // only while running

  // The result of the wanted import, once.
  std::optional<Result> take();

  // Cancels all and waits for the threads. False if one is still at it after that time.
  bool finish(double seconds);

 private:
  struct Job;
  static void runJob(const std::shared_ptr<Job>& job, const Load& load,
                     const std::function<void()>& wake);

  std::function<void()> wake_;
  std::shared_ptr<Job> current_;
  std::vector<std::shared_ptr<Job>> jobs_; // whose threads may still run
};

} // namespace sinew
