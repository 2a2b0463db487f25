// The files of render/shaders, as the build put them into the library.
#pragma once

namespace purl {

struct ShaderFile {
    const char* name;
    const char* text;
};

extern const ShaderFile kShaderFiles[];
extern const int kShaderFileCount;

}  // namespace purl
