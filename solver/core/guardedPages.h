// Address space whose pages can be closed to the whole process, and a report of who touches them while they are. The
// only part of Device::rehearsal() that depends on the operating system.
#pragma once
#include <cstddef>

namespace purl {

class GuardedPages {
  public:
    static constexpr size_t kPage = 4096;

    // Reserves address space, closed; memory is used where it is written. `describe` writes one line about an address
    // inside, without its line end, and returns its length; it is called when a thread touches a closed page, after
    // which the process ends as on any invalid access. Throws Error where the operating system lacks the means.
    using Describe = size_t (*)(const void* owner, const void* address, char* line, size_t room);
    GuardedPages(const void* owner, Describe describe);
    ~GuardedPages();
    GuardedPages(const GuardedPages&) = delete;
    GuardedPages& operator=(const GuardedPages&) = delete;

    // The first `bytes` bytes, a multiple of kPage, become accessible, or no byte.
    void open(size_t bytes);
    void close();

    char* begin() const { return begin_; }
    size_t size() const { return size_; }
    bool holds(const void* address) const { return address >= begin_ && address < begin_ + size_; }

    // Whether an address belongs to memory that this process can use at all.
    static bool isMapped(const void* address);

  private:
    char* begin_ = nullptr;
    size_t size_ = 0, opened_ = 0;
    int slot_ = -1;
};

}  // namespace purl
