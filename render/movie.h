// Movie: pictures in order, piped to ffmpeg, which makes an H.264 MP4 that every player takes.
#pragma once
#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>

#include "render/partFile.h"
#include "render/picture.h"

namespace purl {

// The file appears under its name when `finish` has succeeded, and not before; without it nothing is left behind.
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
    bool wait();  // for ffmpeg to end; true if it is content

    std::string path_;
    std::unique_ptr<PartFile> file_;  // null once the movie has its name, or none
    int width_, height_;
    int pipe_ = -1;       // ffmpeg reads the frames from its other end
    pid_t process_ = -1;  // ffmpeg, or -1 once it has ended
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> complaints_{nullptr, &std::fclose};
};

}  // namespace purl
