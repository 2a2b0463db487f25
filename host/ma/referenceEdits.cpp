#include "host/ma/referenceEdits.h"

#include "host/graph/text.h"

namespace purl::host {
namespace {

// The type of an edit, its first number.
enum EditKind { parenting = 0, adding = 1, setting = 2, disconnecting = 3, connecting = 5 };

bool isCount(const Words& words) {
    long long n = 0;
    return !words.atEnd() && !words.peek().quoted && readNumber(words.peek().text, n);
}

// Reads the words up to the next number, at most `maxCount`: the last edit is followed by a node name.
std::vector<std::string> takeWords(Words& words, size_t maxCount) {
    std::vector<std::string> taken;
    while (taken.size() < maxCount && !words.atEnd() && !isCount(words)) taken.emplace_back(words.word());
    return taken;
}

class Reader {
  public:
    explicit Reader(Words words) : words_(words) {}

    ReferenceEdits read() {
        while (!words_.atEnd()) {
            if (!isCount(words_)) {
                words_.word();  // a reference node
                continue;
            }
            for (long long left = count(); left > 0 && isCount(words_); --left) readOne();
        }
        return std::move(edits_);
    }

  private:
    long long count() {
        long long n = 0;
        readNumber(words_.word(), n);
        return n;
    }

    void readOne() {
        const long long kind = count();
        if (kind == connecting && isCount(words_)) return readConnection(count());
        const std::vector<std::string> w = takeWords(words_, kind == adding ? 4 : 3);
        if (kind == setting && w.size() == 3)
            add("setAttr " + inQuotes(w[0] + "." + w[1]) + w[2]);
        else if (kind == adding && w.size() == 4)
            add("addAttr" + w[3] + " -ln " + inQuotes(w[1]) + " -sn " + inQuotes(w[2]) + " " + inQuotes(w[0]));
        else if (kind == parenting && w.size() == 3)
            add("parent " + w[2] + " " + inQuotes(w[0]) + " " + inQuotes(w[1]));
        else if (kind == disconnecting && w.size() >= 2)
            add("disconnectAttr " + inQuotes(w[0]) + " " + inQuotes(w[1]));
        else
            ++edits_.unknown;
    }

    // Form 0: both plugs belong to the reference; 3: its plug drives the placeholder; 4: the placeholder drives its
    // plug.
    void readConnection(long long form) {
        const std::vector<std::string> w = takeWords(words_, form == 0 ? 6 : 4);
        if (form == 0 && w.size() >= 3)
            add("connectAttr -f " + inQuotes(w[1]) + " " + inQuotes(w[2]));
        else if ((form == 3 || form == 4) && w.size() >= 3)
            edits_.placeHolders[w[2]] = w[1];
        else
            ++edits_.unknown;
    }

    void add(std::string statement) { edits_.statements.push_back(std::move(statement) + ";"); }

    Words words_;
    ReferenceEdits edits_;
};

}  // namespace

ReferenceEdits readReferenceEdits(Words words) { return Reader(words).read(); }

}  // namespace purl::host
