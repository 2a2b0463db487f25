// The scenes and caches opened last, kept in the user's settings.
#pragma once
#include <QStringList>

namespace purl {

QStringList recentFiles();  // newest first, without those that are gone
void addRecentFile(const QString& path);

}  // namespace purl
