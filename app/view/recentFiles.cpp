#include "app/view/recentFiles.h"

#include <QFileInfo>
#include <QSettings>
#include <algorithm>
#include <memory>

namespace purl {
namespace {

constexpr int kMaxRecent = 10;
const char* const kRecentKey = "recent";

std::unique_ptr<QSettings> viewSettings() {
    return std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, "purl", "view");
}

}  // namespace

QStringList recentFiles() {
    QStringList files = viewSettings()->value(kRecentKey).toStringList();
    files.erase(
        std::remove_if(files.begin(), files.end(), [](const QString& path) { return !QFileInfo::exists(path); }),
        files.end());
    return files;
}

void addRecentFile(const QString& path) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(whole);
    files.prepend(whole);
    viewSettings()->setValue(kRecentKey, files.mid(0, kMaxRecent));
}

}  // namespace purl
