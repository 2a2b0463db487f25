// A picture or movie under way. It grows as PATH.part, a new file that no link can stand in for, and gets its name when
// it is whole.
#pragma once
#include <cstdio>
#include <memory>
#include <string>

namespace purl {

class PartFile {
  public:
    // Removes what has the part's name. All throw Error.
    explicit PartFile(const std::string& path);
    ~PartFile();  // unfinished: nothing is left behind
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    std::FILE* stream() const { return file_.get(); }
    void finish();

  private:
    [[noreturn]] void fail(int error);

    std::string path_, part_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, &std::fclose};
};

}  // namespace purl
