// What it costs to share a loop among threads: Purl's pool beside OpenMP's teams, where the compiler has them.
//
//     purl_bench_threads [threads] [busy]
//
// For loops of several lengths, microseconds of the clock for one loop and what more threads gain over one. With `busy`
// above 0 so many other threads take all the time they can get meanwhile, as on a machine with other work.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "solver/core/forEach.h"

namespace {

using Clock = std::chrono::steady_clock;

// About a microsecond each.
struct Work {
    float* out;
    void operator()(int i) const {
        float x = 1.0f + static_cast<float>(i) * 1e-6f;
        for (int k = 0; k < 250; ++k) x = x * 0.999f + 0.001f;
        out[i] = x;
    }
};

// Microseconds for one loop, the median of many with a short serial part in between, as in a step.
template <class Loop>
double microseconds(int repeats, const Loop& loop) {
    std::vector<double> times;
    volatile float serial = 0;
    for (int r = 0; r < repeats; ++r) {
        for (int k = 0; k < 2000; ++k) serial = serial + 1;
        const auto start = Clock::now();
        loop();
        times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    // The mean: a thread that is waited for now and then does not show in the median.
    double sum = 0;
    for (const double time : times) sum += time;
    return sum / repeats;
}

}  // namespace

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::atoi(argv[1]) : 2, busy = argc > 2 ? std::atoi(argv[2]) : 0;
    std::atomic<bool> end{false};
    std::vector<std::thread> others;
    for (int k = 0; k < busy; ++k)
        others.emplace_back([&] {
            setpriority(PRIO_PROCESS, 0, 19);  // on Linux, of this thread
            while (!end.load(std::memory_order_relaxed)) {}
        });
    std::vector<float> out(100000);
    const purl::Device one = purl::Device::cpu(1), several = purl::Device::cpu(threads);
    std::printf("| units | one thread, µs | pool, µs | gain | OpenMP, µs | gain |\n|---|---|---|---|---|---|\n");
    for (const int units : {8, 32, 128, 512, 4096, 32768}) {
        const int repeats = std::clamp(400000 / units, 50, 5000);
        const Work work{out.data()};
        const double alone = microseconds(repeats, [&] { purl::forEach(one, "work", units, work); });
        const double pool = microseconds(repeats, [&] { purl::forEach(several, "work", units, work); });
#ifdef _OPENMP
        const double team = microseconds(repeats, [&] {
    #pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
            for (int i = 0; i < units; ++i) work(i);
        });
        std::printf("| %d | %.1f | %.1f | %.2f | %.1f | %.2f |\n", units, alone, pool, alone / pool, team,
                    alone / team);
#else
        std::printf("| %d | %.1f | %.1f | %.2f | | |\n", units, alone, pool, alone / pool);
#endif
        std::fflush(stdout);
    }
    end = true;
    for (std::thread& other : others) other.join();
}
