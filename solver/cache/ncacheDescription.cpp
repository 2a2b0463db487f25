// XML description of an nCache. The reader also accepts comments, CDATA, DOCTYPE and entities.
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <map>

#include "solver/cache/file.h"
#include "solver/cache/ncache.h"
#include "solver/core/error.h"

namespace purl {
namespace {

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

// Entities defined in a DOCTYPE are not expanded, so that a hostile file cannot grow while it is read.
std::string unescaped(const std::string& text) {
    static const std::pair<const char*, char> kEntities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const size_t end = text[at] == '&' ? text.find(';', at) : std::string::npos;
        const std::string entity = end == std::string::npos ? "" : text.substr(at, std::min<size_t>(end + 1 - at, 10));
        const auto* known = std::find_if(std::begin(kEntities), std::end(kEntities),
                                         [&](const auto& pair) { return entity == pair.first; });
        long code = 0;
        if (entity.size() > 3 && entity[1] == '#')
            code = entity[2] == 'x' ? std::strtol(entity.c_str() + 3, nullptr, 16)
                                    : std::strtol(entity.c_str() + 2, nullptr, 10);
        if (known != std::end(kEntities) || (code > 0 && code < 128)) {
            out += known != std::end(kEntities) ? known->second : static_cast<char>(code);
            at = end + 1;
        } else {
            out += text[at++];
        }
    }
    return out;
}

struct Element {
    std::string name, text;
    std::map<std::string, std::string> attributes;

    const std::string& operator[](const char* attribute) const {
        static const std::string none;
        const auto found = attributes.find(attribute);
        return found == attributes.end() ? none : found->second;
    }
};

// All elements in the order of their start tags, as a flat list.
std::vector<Element> elementsOf(const std::string& xml, const std::string& path) {
    std::vector<Element> elements;
    std::vector<std::string> open;
    const auto after = [&](size_t at, const char* mark) {
        const size_t found = xml.find(mark, at);
        if (found == std::string::npos) throw Error(path + ": truncated at byte " + std::to_string(at));
        return found;
    };
    for (size_t at = 0; at < xml.size();) {
        if (xml[at] != '<') {
            const size_t end = std::min(xml.find('<', at), xml.size());
            if (!elements.empty() && !open.empty() && open.back() == elements.back().name)
                elements.back().text += unescaped(xml.substr(at, end - at));
            at = end;
        } else if (xml.compare(at, 4, "<!--") == 0) {
            at = after(at + 4, "-->") + 3;
        } else if (xml.compare(at, 9, "<![CDATA[") == 0) {
            const size_t end = after(at + 9, "]]>");
            if (!elements.empty()) elements.back().text += xml.substr(at + 9, end - at - 9);
            at = end + 3;
        } else if (xml.compare(at, 2, "<?") == 0) {
            at = after(at, "?>") + 2;
        } else if (xml.compare(at, 2, "<!") == 0) {
            const size_t end = after(at, ">"), inner = xml.find('[', at);
            at = inner < end ? after(after(inner, "]"), ">") + 1 : end + 1;
        } else if (xml.compare(at, 2, "</") == 0) {
            const size_t end = after(at, ">");
            std::string name = xml.substr(at + 2, end - at - 2);
            name.erase(name.find_last_not_of(" \t\r\n") + 1);
            if (open.empty() || open.back() != name)
                throw Error(path + ": </" + name + "> at byte " + std::to_string(at) + " closes nothing");
            open.pop_back();
            at = end + 1;
        } else {
            const char* const space = " \t\r\n";
            Element element;
            size_t here = std::min(xml.find_first_of(" \t\r\n/>", at + 1), xml.size());
            element.name = xml.substr(at + 1, here - at - 1);
            for (;;) {
                here = xml.find_first_not_of(space, here);
                if (here == std::string::npos) throw Error(path + ": truncated at byte " + std::to_string(at));
                if (xml[here] == '>' || xml[here] == '/') break;
                const size_t equals = after(here, "="), quote = xml.find_first_not_of(space, equals + 1);
                if (quote == std::string::npos || (xml[quote] != '"' && xml[quote] != '\''))
                    throw Error(path + ": an attribute value without quotes at byte " + std::to_string(equals));
                const size_t end = after(quote + 1, xml[quote] == '"' ? "\"" : "'");
                std::string name = xml.substr(here, equals - here);
                name.erase(name.find_last_not_of(space) + 1);
                element.attributes[name] = unescaped(xml.substr(quote + 1, end - quote - 1));
                here = end + 1;
            }
            const bool closed = xml[here] == '/';
            at = after(here, ">") + 1;
            if (!closed) open.push_back(element.name);
            elements.push_back(std::move(element));
        }
    }
    if (!open.empty()) throw Error(path + ": truncated: <" + open.back() + "> is not closed");
    return elements;
}

int integerOf(const std::string& text, const char* what, const std::string& path) {
    char* end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end || value < INT_MIN || value > INT_MAX)
        throw Error(path + ": " + what + " is \"" + text + "\", not a whole number");
    return static_cast<int>(value);
}

// Offset of the digits of a description's hash.
const std::string kHashExtra = "<extra>hash ";
constexpr size_t kHashDigits = 16;
size_t hashIn(const std::string& xml) {
    const size_t at = xml.rfind(kHashExtra);
    return at == std::string::npos ? at : at + kHashExtra.size();
}

}  // namespace

std::string encodeNCacheDescription(const NCacheDescription& d) {
    std::string xml = "<?xml version=\"1.0\"?>\n<Autodesk_Cache_File>\n";
    xml += std::string("  <cacheType Type=\"") + (d.layout == NCacheLayout::oneFile ? "OneFile" : "OneFilePerFrame") +
           "\" Format=\"" + (d.bits == NCacheBits::mcx ? "mcx" : "mcc") + "\"/>\n";
    xml += "  <time Range=\"" + std::to_string(d.startTicks) + "-" + std::to_string(d.endTicks) + "\"/>\n";
    xml += "  <cacheTimePerFrame TimePerFrame=\"" + std::to_string(d.ticksPerFrame) + "\"/>\n";
    xml += "  <cacheVersion Version=\"2.0\"/>\n";
    for (const std::string& extra : d.extra) xml += "  <extra>" + escaped(extra) + "</extra>\n";
    xml += "  <Channels>\n";
    for (size_t i = 0; i < d.channels.size(); ++i) {
        const NCacheChannelInfo& c = d.channels[i];
        xml += "    <channel" + std::to_string(i) + " ChannelName=\"" + escaped(c.name) + "\" ChannelType=\"" +
               escaped(c.type) + "\" ChannelInterpretation=\"" + escaped(c.interpretation) + "\" SamplingType=\"" +
               escaped(c.samplingType) + "\" SamplingRate=\"" + std::to_string(c.samplingRate) + "\" StartTime=\"" +
               std::to_string(c.startTicks) + "\" EndTime=\"" + std::to_string(c.endTicks) + "\"/>\n";
    }
    return xml + "  </Channels>\n</Autodesk_Cache_File>\n";
}

std::string encodeWithHash(NCacheDescription description) {
    description.extra.push_back("hash " + std::string(kHashDigits, '0'));
    std::string xml = encodeNCacheDescription(description);
    const size_t digits = hashIn(xml);
    return xml.replace(digits, kHashDigits, toHex(receiptOf(xml).hash));
}

DescriptionHash checkHash(std::string xml) {
    const size_t digits = hashIn(xml);
    if (digits == std::string::npos) return DescriptionHash::absent;
    const std::string said = xml.substr(digits, kHashDigits);
    xml.replace(digits, std::min(kHashDigits, xml.size() - digits), kHashDigits, '0');
    return said == toHex(receiptOf(xml).hash) ? DescriptionHash::right : DescriptionHash::wrong;
}

NCacheDescription decodeNCacheDescription(const std::string& xml, const std::string& path) {
    NCacheDescription d;
    bool root = false, kind = false;
    for (const Element& element : elementsOf(xml, path)) {
        if (element.name == "Autodesk_Cache_File") {
            root = true;
        } else if (element.name == "cacheType") {
            kind = true;
            const std::string &type = element["Type"], &format = element["Format"];
            if (type != "OneFile" && type != "OneFilePerFrame")
                throw Error(path + ": cache type \"" + type + "\" is neither OneFile nor OneFilePerFrame");
            if (format != "mcc" && format != "mcx")
                throw Error(path + ": format \"" + format + "\" is neither mcc nor mcx");
            d.layout = type == "OneFile" ? NCacheLayout::oneFile : NCacheLayout::oneFilePerFrame;
            d.bits = format == "mcx" ? NCacheBits::mcx : NCacheBits::mcc;
        } else if (element.name == "time") {
            // In "-500--250" the separator is the dash that follows a digit.
            const std::string& range = element["Range"];
            size_t dash = 1;
            while (dash < range.size() && !(range[dash] == '-' && range[dash - 1] >= '0' && range[dash - 1] <= '9'))
                ++dash;
            if (dash >= range.size()) throw Error(path + ": time range is \"" + range + "\", not START-END");
            d.startTicks = integerOf(range.substr(0, dash), "the range's start", path);
            d.endTicks = integerOf(range.substr(dash + 1), "the range's end", path);
        } else if (element.name == "cacheTimePerFrame") {
            d.ticksPerFrame = integerOf(element["TimePerFrame"], "TimePerFrame", path);
            if (d.ticksPerFrame <= 0) throw Error(path + ": TimePerFrame must be above 0");
        } else if (element.name == "extra") {
            d.extra.push_back(element.text);
        } else if (element.name.compare(0, 7, "channel") == 0 && !element["ChannelName"].empty()) {
            d.channels.push_back({element["ChannelName"], element["ChannelType"], element["ChannelInterpretation"],
                                  element["SamplingType"], integerOf(element["SamplingRate"], "SamplingRate", path),
                                  integerOf(element["StartTime"], "StartTime", path),
                                  integerOf(element["EndTime"], "EndTime", path)});
        }
    }
    if (!root || !kind) throw Error(path + ": not an nCache description");
    return d;
}

}  // namespace purl
