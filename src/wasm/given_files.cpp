// core/file.h and std::filesystem over the files that the module was given.
#include "wasm/given_files.h"

#include "core/error.h"
#include "core/file.h"

#include <cctype>
#include <cstring>
#include <fstream>
#include <set>

namespace sinew {
namespace {

bool isGivenFolder(const std::string& name) {
  const std::string begin = name == "/" ? name : name + "/";
  const auto first = givenFiles().lower_bound(begin);
  return name == std::filesystem::current_path() ||
         (first != givenFiles().end() && first->first.starts_with(begin));
}

} // namespace

std::map<std::string, std::string>& givenFiles() {
  static std::map<std::string, std::string> files;
  return files;
}

std::string givenName(const std::filesystem::path& path) {
  std::string name = std::filesystem::absolute(path).lexically_normal().generic_string();
  if (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return name;
}

std::string readFile(const std::filesystem::path& path, std::uint64_t /*maxBytes*/) {
  const auto found = givenFiles().find(givenName(path));
  if (found == givenFiles().end())
    throw inputError(path.string(),
                     isGivenFolder(givenName(path)) ? "is a folder, not a file" : "no such file");
  return found->second;
}

void writeFile(const std::filesystem::path& path, std::string_view bytes, FileAccess /*access*/) {
  givenFiles()[givenName(path)] = bytes;
}

std::string getExtension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

} // namespace sinew

namespace std {

basic_ifstream<char>::basic_ifstream(const filesystem::path& at, ios_base::openmode) {
  const auto found = sinew::givenFiles().find(sinew::givenName(at));
  if (found == sinew::givenFiles().end()) return;
  left_ = found->second;
  good_ = true;
}

namespace filesystem {

file_status status(const path& at, error_code& error) noexcept {
  error.clear();
  const string name = sinew::givenName(at);
  if (sinew::givenFiles().contains(name)) return file_status(file_type::regular);
  if (sinew::isGivenFolder(name)) return file_status(file_type::directory);
  error = make_error_code(errc::no_such_file_or_directory);
  return file_status(file_type::not_found);
}

uintmax_t file_size(const path& at, error_code& error) noexcept {
  const auto found = sinew::givenFiles().find(sinew::givenName(at));
  error.clear();
  if (found != sinew::givenFiles().end()) return found->second.size();
  error = make_error_code(errc::no_such_file_or_directory);
  return static_cast<uintmax_t>(-1);
}

path canonical(const path& at, error_code& error) {
  const path name = sinew::givenName(at);
  status(name, error);
  return name;
}

uintmax_t remove_all(const path& at, error_code& error) {
  error.clear();
  const string name = sinew::givenName(at);
  return erase_if(sinew::givenFiles(), [&](const auto& file) {
    return file.first == name || file.first.starts_with(name + "/");
  });
}

template <bool kRecursive>
entries_iterator<kRecursive>::entries_iterator(const path& folder)
    : entries_(make_shared<vector<directory_entry>>()) {
  string begin = sinew::givenName(folder);
  if (begin != "/") begin += '/';
  set<string> names;
  for (auto it = sinew::givenFiles().lower_bound(begin);
       it != sinew::givenFiles().end() && it->first.starts_with(begin); ++it)
    for (size_t end = begin.size(); end != string::npos;) {
      end = it->first.find('/', end + 1);
      names.insert(it->first.substr(0, end));
      if (!kRecursive) break;
    }
  for (const string& name : names)
    entries_->emplace_back(folder / path(name.substr(begin.size())));
}
template class entries_iterator<false>;
template class entries_iterator<true>;

} // namespace filesystem
} // namespace std

// A name that no other folder of temporary files has.
char* mkdtemp(char* name) {
  static unsigned made = 0;
  const std::string number = std::to_string(1000000u + made++ % 1000000u).substr(1);
  std::memcpy(name + std::strlen(name) - number.size(), number.data(), number.size());
  return name;
}
