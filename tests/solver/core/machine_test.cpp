#include "solver/core/machine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace purl {
namespace {

namespace fs = std::filesystem;

// A folder that stands for the root of a file system with control groups.
class Machine : public testing::Test {
  protected:
    void SetUp() override { fs::remove_all(root_); }
    void TearDown() override { fs::remove_all(root_); }
    void write(const std::string& path, const std::string& text) const {
        fs::create_directories(fs::path(root_ + path).parent_path());
        std::ofstream(root_ + path) << text;
    }
    Allocation allocation(const char* slurm = nullptr) const { return allocationAt(root_, slurm); }

    // One for each test: they run at the same time.
    const std::string root_ =
        testing::TempDir() + "machine_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Machine, withoutGroupsAndSlurmNothingIsLimited) {
    EXPECT_EQ(allocation().processors, 0);
    EXPECT_EQ(allocation().megabytes, 0);
}

TEST_F(Machine, slurmGrantsProcessors) {
    EXPECT_EQ(allocation("3").processors, 3);
    EXPECT_EQ(allocation("nonsense").processors, 0);
}

TEST_F(Machine, theSmallestLimitOfNestedGroupsApplies) {
    write("/proc/self/cgroup", "0::/slurm/job_7/step_0\n");
    write("/sys/fs/cgroup/slurm/cpu.max", "400000 100000\n");
    write("/sys/fs/cgroup/slurm/job_7/cpu.max", "250000 100000\n");
    write("/sys/fs/cgroup/slurm/job_7/step_0/cpu.max", "max 100000\n");
    write("/sys/fs/cgroup/slurm/job_7/memory.max", "8000000000\n");
    write("/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n");
    EXPECT_EQ(allocation().processors, 3);  // 2.5, rounded
    EXPECT_EQ(allocation().megabytes, 8000);
    EXPECT_EQ(allocation("2").processors, 2);
}

TEST_F(Machine, aShareOfOneProcessorIsOne) {
    write("/proc/self/cgroup", "0::/\n");
    write("/sys/fs/cgroup/cpu.max", "20000 100000\n");
    EXPECT_EQ(allocation().processors, 1);
}

TEST_F(Machine, groupsOfVersionOneAreRead) {
    write("/proc/self/cgroup", "5:cpu,cpuacct:/job\n4:memory:/job\n3:pids:/job\n");
    write("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "200000\n");
    write("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "4000000000\n");
    write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(allocation().processors, 2);
    EXPECT_EQ(allocation().megabytes, 4000);
}

}  // namespace
}  // namespace purl
