// Movie: pipes images to ffmpeg, which encodes a widely playable H.264 MP4.
#pragma once
#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>

#include "render/partFile.h"
#include "render/picture.h"

namespace purl {

// The file is renamed to its final name by `finish`; without it nothing is left behind.
class Movie {
  public:
    Movie(const std::string& path, int width, int height, double framesPerSecond);
    ~Movie();
    Movie(const Movie&) = delete;
    Movie& operator=(const Movie&) = delete;

    void add(const Picture& picture);
    void finish();

  private:
    [[noreturn]] void fail();
    bool wait();  // waits for ffmpeg to exit; true on success

    std::string path_;
    std::unique_ptr<PartFile> file_;  // null once the movie has its name, or none
    int width_, height_;
    int pipe_ = -1;       // write end; ffmpeg reads the frames
    pid_t process_ = -1;  // ffmpeg, or -1 after it has exited
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> errorLog_{nullptr, &std::fclose};
};

}  // namespace purl
