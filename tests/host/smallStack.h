// Runs a function on a thread with a 2 MB stack, the size of a host application's worker threads.
#pragma once
#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>

namespace purl::host {

// Sanitizers make stack frames several times larger.
#ifdef PURL_SANITIZED
constexpr size_t kSmallStack = size_t(16) << 20;
#else
constexpr size_t kSmallStack = size_t(2) << 20;
#endif

inline void onSmallStack(const std::function<void()>& work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, kSmallStack), 0);
    pthread_t thread;
    const auto run = [](void* given) -> void* {
        (*static_cast<const std::function<void()>*>(given))();
        return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

}  // namespace purl::host
