#include "render/movie.h"

#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <sstream>
#include <vector>

#include "solver/core/error.h"

extern char** environ;

namespace purl {

namespace {

// ffmpeg gets the open file: a name could be another's by the time it opens it.
constexpr int kOutput = 3;

std::vector<std::string> ffmpegCommand(int width, int height, double framesPerSecond) {
    std::stringstream words;
    words << "ffmpeg -hide_banner -loglevel error -nostdin -y"
          << " -f rawvideo -pix_fmt rgba -s " << width << "x" << height << " -framerate " << framesPerSecond
          << " -i pipe:0"
          // yuv420p needs even sizes: pad odd ones by one row or column
          << " -vf pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709,format=yuv420p"
          << " -c:v libx264 -preset medium -crf 18"
          << " -colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1"
          << " -fflags +bitexact -flags:v +bitexact -movflags +faststart -f mp4";
    words << " file:/dev/fd/" << kOutput;
    return {std::istream_iterator<std::string>(words), {}};
}

}  // namespace

Movie::Movie(const std::string& path, int width, int height, double framesPerSecond)
    : path_(path), file_(std::make_unique<PartFile>(path)), width_(width), height_(height) {
    // A socket rather than a pipe: if ffmpeg dies, send() returns an error where write() would raise SIGPIPE.
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        throw Error(path + ": cannot connect to ffmpeg: " + std::strerror(errno));
    }
    pipe_ = ends[0];
    errorLog_.reset(std::tmpfile());

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", 1 /* write only */, 0);
    if (errorLog_) posix_spawn_file_actions_adddup2(&files, fileno(errorLog_.get()), 2);
    posix_spawn_file_actions_adddup2(&files, fileno(file_->stream()), kOutput);
    posix_spawnattr_t attributes;  // own process group, so that Ctrl-C does not reach ffmpeg
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);

    std::vector<std::string> command = ffmpegCommand(width, height, framesPerSecond);
    std::vector<char*> arguments;
    for (std::string& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    const int error = posix_spawnp(&process_, "ffmpeg", &files, &attributes, arguments.data(), environ);

    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    if (error != 0) {
        process_ = -1;
        close(pipe_);
        if (error == ENOENT) throw Error(path + ": ffmpeg not found; install it or omit --movie");
        throw Error(path + ": cannot start ffmpeg: " + std::strerror(error));
    }
}

Movie::~Movie() {
    if (process_ < 0) return;
    kill(process_, SIGKILL);
    wait();
}

void Movie::add(const Picture& picture) {
    if (process_ < 0) throw Error(path_ + ": the movie is already finished");
    if (picture.width != width_ || picture.height != height_) {
        throw Error(path_ + ": all images of the movie must be " + std::to_string(width_) + " x " +
                    std::to_string(height_));
    }
    for (size_t sent = 0; sent < picture.rgba.size();) {
        const ssize_t now = send(pipe_, picture.rgba.data() + sent, picture.rgba.size() - sent, MSG_NOSIGNAL);
        if (now < 0 && errno == EINTR) continue;
        if (now < 0) fail();
        sent += size_t(now);
    }
}

void Movie::finish() {
    if (process_ < 0) return;
    if (!wait()) fail();
    file_->finish();
    file_.reset();
}

bool Movie::wait() {
    close(pipe_);
    pipe_ = -1;
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {}
    process_ = -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void Movie::fail() {
    if (process_ >= 0) wait();
    file_.reset();
    std::string reason = "it ended early";
    char line[512];
    if (errorLog_) {
        std::rewind(errorLog_.get());
        if (std::fgets(line, sizeof line, errorLog_.get())) reason = line;
    }
    while (!reason.empty() && reason.back() == '\n') reason.pop_back();
    throw Error(path_ + ": ffmpeg could not write the movie: " + reason);
}

}  // namespace purl
