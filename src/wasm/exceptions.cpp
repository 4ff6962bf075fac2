// C++ exceptions for WebAssembly (-fwasm-exceptions): the part of the C++ ABI's runtime that
// Debian's libc++abi for wasm32 was built without. Format of the tables: "C++ ABI for Itanium:
// Exception Handling" and LLVM's ExceptionHandling.rst. One thread.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

// The kind of exceptions that C++ throws.
__asm__(".globl __cpp_exception\n"
        ".tagtype __cpp_exception i32\n"
        "__cpp_exception:\n");

namespace {

// The header in front of each thrown object. Destructors return their object in this ABI.
struct alignas(16) Thrown {
  const std::type_info* type;
  void* (*destroy)(void*);
  std::size_t references; // while it flies or is caught, and of each std::exception_ptr
  int handlers;           // handlers it is in; negative: the innermost threw it again
  void* adjusted;         // the object as the handler's type, a base class of its own say
  Thrown* next;           // the exception caught before
};

Thrown* caught = nullptr; // innermost first

Thrown* getThrown(void* object) {
  return static_cast<Thrown*>(object) - 1;
}
void* getObject(Thrown* thrown) {
  return thrown + 1;
}

// libc++abi's own type information, by its virtual functions' order.
class CatchableType : public std::type_info {
 public:
  virtual void noop1() const;
  virtual void noop2() const;
  virtual bool can_catch(const CatchableType* thrown, void*& adjusted) const = 0;
};

std::uintptr_t readUnsigned(const std::uint8_t*& at) {
  std::uintptr_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *at++;
    value |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

std::intptr_t readSigned(const std::uint8_t*& at) {
  std::intptr_t value = 0;
  for (unsigned shift = 0;;) {
    const std::uint8_t byte = *at++;
    value |= static_cast<std::intptr_t>(byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    if ((byte & 0x40) != 0 && shift < 32) value |= -(std::intptr_t{1} << shift);
    return value;
  }
}

} // namespace

extern "C" {

// What code and runtime tell each other at a landing pad.
struct LandingPad {
  std::uintptr_t index;     // in: of the call site
  const std::uint8_t* lsda; // in: language-specific data of the function
  std::uintptr_t selector;  // out: index of the type that catches; 0: none
};
LandingPad __wasm_lpad_context;

// Chooses the handler of the call site that catches the exception.
int _Unwind_CallPersonality(void* object) {
  __wasm_lpad_context.selector = 0;
  const std::uint8_t* at = __wasm_lpad_context.lsda;
  if (at == nullptr) return 0;
  constexpr std::uint8_t kOmitted = 0xff;
  if (*at++ != kOmitted) readUnsigned(at); // skips the start of the landing pads
  const std::uint8_t* types = nullptr;
  if (*at++ != kOmitted) {
    const std::uintptr_t distance = readUnsigned(at);
    types = at + distance;
  }
  ++at; // encoding of call sites
  const std::uintptr_t length = readUnsigned(at);
  const std::uint8_t* actions = at + length;
  std::uintptr_t action = 0;
  for (std::uintptr_t site = 0; site <= __wasm_lpad_context.index && at < actions; ++site) {
    readUnsigned(at); // its landing pad
    action = readUnsigned(at);
  }
  if (action == 0) return 0; // destructors alone
  Thrown* thrown = getThrown(object);
  for (at = actions + action - 1;;) {
    const std::intptr_t type = readSigned(at);
    const std::uint8_t* from = at;
    const std::intptr_t next = readSigned(at);
    if (type > 0) {
      const auto* info = reinterpret_cast<const CatchableType* const*>(types)[-type];
      void* adjusted = object;
      if (info == nullptr ||
          info->can_catch(static_cast<const CatchableType*>(thrown->type), adjusted)) {
        thrown->adjusted = adjusted;
        __wasm_lpad_context.selector = static_cast<std::uintptr_t>(type);
        return 0;
      }
    }
    if (next == 0) return 0;
    at = from + next;
  }
}

void* __cxa_allocate_exception(std::size_t size) noexcept {
  auto* thrown = static_cast<Thrown*>(std::malloc(sizeof(Thrown) + size));
  if (thrown == nullptr) std::terminate();
  *thrown = {};
  return getObject(thrown);
}

void __cxa_free_exception(void* object) noexcept {
  std::free(getThrown(object));
}

void __cxa_increment_exception_refcount(void* object) noexcept {
  if (object != nullptr) ++getThrown(object)->references;
}

void __cxa_decrement_exception_refcount(void* object) noexcept {
  if (object == nullptr || --getThrown(object)->references > 0) return;
  if (getThrown(object)->destroy != nullptr) getThrown(object)->destroy(object);
  __cxa_free_exception(object);
}

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  Thrown* thrown = getThrown(object);
  thrown->type = type;
  thrown->destroy = destroy;
  thrown->references = 1;
  thrown->adjusted = object;
  __builtin_wasm_throw(0, object);
}

void* __cxa_get_exception_ptr(void* object) noexcept {
  return getThrown(object)->adjusted;
}

void* __cxa_begin_catch(void* object) noexcept {
  Thrown* thrown = getThrown(object);
  thrown->handlers = (thrown->handlers < 0 ? -thrown->handlers : thrown->handlers) + 1;
  if (caught != thrown) {
    thrown->next = caught;
    caught = thrown;
  }
  return thrown->adjusted;
}

void __cxa_end_catch() {
  Thrown* thrown = caught;
  if (thrown == nullptr) return;
  const bool flies = thrown->handlers < 0;
  thrown->handlers += flies ? 1 : -1;
  if (thrown->handlers != 0) return;
  caught = thrown->next;
  if (!flies) __cxa_decrement_exception_refcount(getObject(thrown));
}

[[noreturn]] void __cxa_rethrow() {
  if (caught == nullptr) std::terminate();
  caught->handlers = -caught->handlers;
  __builtin_wasm_throw(0, getObject(caught));
}

// std::current_exception() and std::rethrow_exception().
void* __cxa_current_primary_exception() noexcept {
  if (caught == nullptr) return nullptr;
  ++caught->references;
  return getObject(caught);
}

void __cxa_rethrow_primary_exception(void* object) {
  if (object == nullptr) return;
  Thrown* thrown = getThrown(object);
  ++thrown->references;
  thrown->adjusted = object;
  __builtin_wasm_throw(0, object);
}

std::type_info* __cxa_current_exception_type() noexcept {
  return caught == nullptr ? nullptr : const_cast<std::type_info*>(caught->type);
}

unsigned int __cxa_uncaught_exceptions() noexcept {
  return 0;
}
bool __cxa_uncaught_exception() noexcept {
  return false;
}

} // extern "C"

// The library's own operators end the program where there is no memory.
void* operator new(std::size_t size) {
  void* room = std::malloc(size == 0 ? 1 : size);
  if (room == nullptr) throw std::bad_alloc();
  return room;
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
