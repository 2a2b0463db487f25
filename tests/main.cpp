// The main function of all test programs. Each run has its own folder for temporary files, so that tests that run at
// the same time do not share any. The folder is kept if a test fails.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
    std::string folder = testing::TempDir() + "purl_tests_XXXXXX";
    if (!mkdtemp(folder.data())) {
        std::perror(folder.c_str());
        return 1;
    }
    setenv("TEST_TMPDIR", folder.c_str(), 1);  // testing::TempDir()
    setenv("TMPDIR", folder.c_str(), 1);       // std::filesystem::temp_directory_path()
    const int failed = RUN_ALL_TESTS();
    if (!failed) std::filesystem::remove_all(folder);
    return failed;
}
