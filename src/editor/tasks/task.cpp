#include "editor/tasks/task.h"

#include <new>

namespace sinew {

TaskFailure describeFailure(const std::string& name, std::exception_ptr problem) {
  try {
    std::rethrow_exception(std::move(problem));
  } catch (const Error& error) {
    return {error.what(), error.cause()};
  } catch (const std::bad_alloc&) {
    return {name + ": not enough memory for it; close other programs or use a smaller file",
            ErrorCause::limit};
  } catch (const std::exception& error) {
    return {name + ": " + error.what(), ErrorCause::input};
  }
}

} // namespace sinew
