// Common implementation of the M…Array classes. Copies are deep; only a function set can return an alias of its data.
#pragma once
#include <maya/MStatus.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <vector>

namespace purl::host {

template <class T, class Self>
class Array {
  public:
    Array() : items_(std::make_shared<std::vector<T>>()) {}
    explicit Array(unsigned int size) : items_(std::make_shared<std::vector<T>>(size)) {}
    Array(unsigned int size, const T& value) : items_(std::make_shared<std::vector<T>>(size, value)) {}
    Array(const T values[], unsigned int count) : items_(std::make_shared<std::vector<T>>(values, values + count)) {}
    Array(const Array& o) : items_(std::make_shared<std::vector<T>>(*o.items_)) {}
    Array& operator=(const Array& o) {
        *items_ = *o.items_;
        return *this;
    }

    unsigned int length() const { return static_cast<unsigned int>(items_->size()); }
    T& operator[](unsigned int i) { return (*items_)[i]; }
    const T& operator[](unsigned int i) const { return (*items_)[i]; }

    MStatus setLength(unsigned int n) {
        items_->resize(n);
        return MStatus::kSuccess;
    }
    MStatus set(const T& value, unsigned int i) {
        if (i >= length()) return MStatus::kInvalidParameter;
        (*items_)[i] = value;
        return MStatus::kSuccess;
    }
    MStatus append(const T& value) {
        items_->push_back(value);
        return MStatus::kSuccess;
    }
    MStatus insert(const T& value, unsigned int i) {
        if (i > length()) return MStatus::kInvalidParameter;
        items_->insert(items_->begin() + i, value);
        return MStatus::kSuccess;
    }
    MStatus remove(unsigned int i) {
        if (i >= length()) return MStatus::kInvalidParameter;
        items_->erase(items_->begin() + i);
        return MStatus::kSuccess;
    }
    MStatus copy(const Self& o) {
        *items_ = *o.items_;
        return MStatus::kSuccess;
    }
    MStatus clear() {
        items_->clear();
        return MStatus::kSuccess;
    }
    MStatus get(T out[]) const {
        std::copy(items_->begin(), items_->end(), out);
        return MStatus::kSuccess;
    }
    // Has no effect: std::vector chooses its growth. Stored only to be read back.
    void setSizeIncrement(unsigned int n) { increment_ = n; }
    unsigned int sizeIncrement() const { return increment_; }

#if MAYA_API_VERSION >= 20190000
    auto begin() { return items_->begin(); }
    auto end() { return items_->end(); }
    auto begin() const { return items_->cbegin(); }
    auto end() const { return items_->cend(); }
#endif

  private:
    friend struct Api;
    std::shared_ptr<std::vector<T>> items_;
    unsigned int increment_ = 8;
};

template <class T, class Self>
std::ostream& operator<<(std::ostream& out, const Array<T, Self>& a) {
    out << "[";
    for (unsigned int i = 0; i < a.length(); ++i) out << (i ? ", " : "") << a[i];
    return out << "]";
}

}  // namespace purl::host
