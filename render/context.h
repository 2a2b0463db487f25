// Context: an OpenGL 3.3 core context that needs neither a display nor a GPU; Mesa's software rasterizer is enough.
#pragma once
#include <memory>

namespace purl {

enum class ContextKind { any, egl, osmesa };

class Context {
  public:
    virtual ~Context() = default;
    virtual void* function(const char* name) const = 0;  // the address of an OpenGL function, or null

    // RAII: makes the context current on this thread and restores the previous one on destruction.
    class Current {
      public:
        virtual ~Current() = default;
    };
    virtual std::unique_ptr<Current> makeCurrent() const = 0;
};

// Tries EGL without a surface, EGL on each device, EGL on the default display, and OSMesa, in this order.
std::unique_ptr<Context> openContext(ContextKind kind = ContextKind::any);

// Wraps the context that the host application has made current, without taking ownership. Null if there is none.
std::unique_ptr<Context> currentContext();

}  // namespace purl
