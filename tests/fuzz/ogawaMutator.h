// Changes Alembic files by the groups and data of their Ogawa tree, and writes it again with every place right: what is
// wrong is what the archive says, not where it says it.
#pragma once
#include "solver/cache/ogawa.h"
#include "solver/core/error.h"
#include "tests/fuzz/fuzz.h"

namespace purl {

struct OgawaTree {
    bool isData = false;
    Bytes data;
    std::vector<OgawaTree> children;
};

// A damaged file may say that it holds itself.
constexpr int kMaxOgawaNodes = 4096, kMaxOgawaDepth = 64;

inline OgawaTree readOgawa(const OgawaReader& reader, OgawaChild child, int& nodes, int depth = 0) {
    if (++nodes > kMaxOgawaNodes || depth > kMaxOgawaDepth) throw Error("too many nodes to mutate");
    OgawaTree tree;
    tree.isData = (child & kOgawaData) != 0;
    if (tree.isData)
        tree.data = reader.data(child);
    else
        for (const OgawaChild inner : reader.children(child))
            tree.children.push_back(readOgawa(reader, inner, nodes, depth + 1));
    return tree;
}

inline OgawaChild writeOgawa(OgawaWriter& writer, const OgawaTree& tree) {
    if (tree.isData) return writer.data(FileContent(tree.data));
    std::vector<OgawaChild> children;
    for (const OgawaTree& child : tree.children) children.push_back(writeOgawa(writer, child));
    return writer.group(children);
}

inline void listOgawa(OgawaTree& tree, std::vector<OgawaTree*>& all) {
    all.push_back(&tree);
    for (OgawaTree& child : tree.children) listOgawa(child, all);
}

inline void mutateOgawaNode(OgawaTree& node, const OgawaTree& other, Random& random) {
    const size_t count = node.children.size(), one = pick(random, count), two = pick(random, count);
    const auto at = node.children.begin() + static_cast<ptrdiff_t>(one);
    if (random() % 16 == 0) {
        node = OgawaTree(other);
    } else if (node.isData) {
        if (random() % 4 == 0)
            node.data = other.data;
        else
            mutateBytes(node.data, node.data.size() + 16);
    } else if (count == 0) {
        node.children.push_back(other);
    } else {
        switch (pick(random, 4)) {
            case 0: node.children.erase(at); break;
            case 1: node.children.insert(at, OgawaTree(other)); break;
            case 2: std::swap(node.children[one], node.children[two]); break;
            default: *at = OgawaTree(other);
        }
    }
}

inline void mutateOgawa(Bytes& bytes, size_t limit, Random& random) try {
    const OgawaReader reader(ByteSource::ofBytes(bytes, "f"));
    int nodes = 0;
    OgawaTree root = readOgawa(reader, reader.root(), nodes);
    for (size_t times = 1 + pick(random, 3); times > 0; --times) {
        std::vector<OgawaTree*> all;
        listOgawa(root, all);
        const OgawaTree other = *all[pick(random, all.size())];
        mutateOgawaNode(*all[pick(random, all.size())], other, random);
    }
    OgawaWriter writer;
    writer.finish(writeOgawa(writer, root), Device::cpu(1));
    bytes = writer.take().bytes();
} catch (const Error&) { mutateBytes(bytes, limit); }

}  // namespace purl
