// Prints the hashes of a scene's first frames: "number state channels", of the simulation's state and of everything the
// frame holds, surfaces included. scripts/instructionSets compares them between processors.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "farm/playback.h"
#include "solver/core/hash.h"

namespace purl {
namespace {

template <class Object>
void addChannels(Hash& hash, const Object& object) {
    Object::channels(object, [&](const char* name, const auto& channel, bool) {
        hash.add(std::string(name));
        if (!channel.empty()) hash.addBytes(&channel[0], channel.size() * sizeof channel[0]);
    });
}

uint64_t hashOfChannels(const Frame& frame) {
    Hash hash;
    addChannels(hash, frame.points);
    for (const Mesh& mesh : frame.meshes) {
        hash.add(mesh.name);
        addChannels(hash, mesh);
        if (!mesh.triangles.empty()) hash.addBytes(&mesh.triangles[0], mesh.triangles.size() * sizeof(int));
    }
    return hash.value();
}

void printHashes(const char* scene, int frames, int threads) {
    Playback playback(scene);
    playback.setDevice("cpu", threads);
    playback.writeNothing();
    const int first = playback.startFrame();
    for (int number = first; number < first + frames; ++number) {
        const FramePtr frame = playback.frame(number);
        std::printf("%d %s %s\n", number, toHex(frame->stateHash).c_str(), toHex(hashOfChannels(*frame)).c_str());
        std::fflush(stdout);
    }
}

}  // namespace
}  // namespace purl

int main(int count, char** words) {
    if (count != 4) {
        std::fprintf(stderr, "usage: purl_frame_hashes SCENE.ma FRAMES THREADS\n");
        return 2;
    }
    try {
        purl::printHashes(words[1], std::atoi(words[2]), std::atoi(words[3]));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
