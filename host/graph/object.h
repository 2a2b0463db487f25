// The root of everything an MObject can refer to, and the one error type of host/.
#pragma once
#include <maya/MFn.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "host/graph/text.h"

namespace purl::host {

// Wrong input, said in one line: who, what, and what would help. Whatever names and values it quotes, it stays a line.
struct Error : std::runtime_error {
    explicit Error(const std::string& what) : std::runtime_error(oneLine(what)) {}
};

// How a computation ended.
enum class Result {
    Done,
    Unknown,  // not mine: try the parent plug, else keep the stored value
    Failed,
};

// A node, an attribute, a piece of data or a plugin: whatever an MObject may hold.
class Object : public std::enable_shared_from_this<Object> {
  public:
    virtual ~Object() = default;
    virtual MFn::Type apiType() const = 0;
    virtual bool hasFn(MFn::Type fn) const { return fn == apiType() || fn == MFn::kBase; }
};

}  // namespace purl::host
