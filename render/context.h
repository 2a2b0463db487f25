// Context: an OpenGL 3.3 core context that needs neither a display nor a GPU. Mesa's software renderer is enough.
#pragma once
#include <memory>

namespace purl {

enum class ContextKind { any, egl, osmesa };

class Context {
  public:
    virtual ~Context() = default;
    virtual void* function(const char* name) const = 0;  // the address of an OpenGL function, or null

    // While one of these lives, OpenGL calls of this thread go to the context; then to the one before it, if any.
    class Current {
      public:
        virtual ~Current() = default;
    };
    virtual std::unique_ptr<Current> makeCurrent() const = 0;
};

// Tries EGL without a surface, EGL on each device, EGL on the default display, and OSMesa, in this order.
std::unique_ptr<Context> openContext(ContextKind kind = ContextKind::any);

// Whatever context a program around us has made current; it stays its own. Null where none is.
std::unique_ptr<Context> currentContext();

}  // namespace purl
