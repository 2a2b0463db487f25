// What crosses between the host and a device, and how often. Zero on the CPU, whose memory is the host's.
#pragma once
#include <cstdint>

namespace purl {

struct DeviceCounts {
    int64_t launches = 0;  // of kernels, and of library calls such as scans and sorts
    int64_t uploads = 0, uploadedBytes = 0;
    int64_t downloads = 0, downloadedBytes = 0;
    int64_t synchronizations = 0;  // the host waited for a download
    int64_t allocations = 0;       // of memory that the device did not have at hand

    // visit(name, value) for every count.
    template <class Counts, class Visit>
    static void fields(Counts& counts, Visit&& visit) {
        visit("launches", counts.launches);
        visit("uploads", counts.uploads);
        visit("uploadedBytes", counts.uploadedBytes);
        visit("downloads", counts.downloads);
        visit("downloadedBytes", counts.downloadedBytes);
        visit("synchronizations", counts.synchronizations);
        visit("allocations", counts.allocations);
    }
    DeviceCounts& operator+=(const DeviceCounts& other) {
        add(other, 1);
        return *this;
    }
    DeviceCounts& operator-=(const DeviceCounts& other) {
        add(other, -1);
        return *this;
    }

  private:
    void add(const DeviceCounts& other, int64_t sign) {
        launches += sign * other.launches;
        uploads += sign * other.uploads;
        uploadedBytes += sign * other.uploadedBytes;
        downloads += sign * other.downloads;
        downloadedBytes += sign * other.downloadedBytes;
        synchronizations += sign * other.synchronizations;
        allocations += sign * other.allocations;
    }
};

}  // namespace purl
