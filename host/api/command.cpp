#include <maya/MArgDatabase.h>
#include <maya/MArgList.h>
#include <maya/MArgParser.h>
#include <maya/MDoubleArray.h>
#include <maya/MIntArray.h>
#include <maya/MPxCommand.h>
#include <maya/MStringArray.h>
#include <maya/MSyntax.h>

#include <cmath>

#include "host/api/access.h"
#include "host/api/commandResult.h"

namespace purl::host {

std::vector<std::string> Api::words(const MSyntax& syntax, const Call& call) {
    std::vector<std::string> words;
    const auto truth = [](const Argument& a) {
        return a.words.empty() || (a.words[0] != "0" && a.words[0] != "off" && a.words[0] != "false");
    };
    bool query = false;
    for (const auto& [name, value] : call.flags) {
        const bool q = name == "q" || name == "query", e = name == "e" || name == "edit";
        if ((q || e) && truth(value)) words.push_back(q ? "-query" : "-edit");
        query = query || (q && truth(value));
    }
    for (const auto& [name, value] : call.flags) {
        if (name == "q" || name == "query" || name == "e" || name == "edit") continue;
        const MSyntax::Flag* flag = syntax.find(name);
        const std::string dashed = "-" + (flag ? flag->longName : name);
        const size_t each = flag ? flag->args.size() : 0;
        const bool bare = each == 0 || (query && !flag->fullQuery);
        if (bare) {
            if (truth(value)) words.push_back(dashed);
            continue;
        }
        // A list passed to a multi-use flag means several uses.
        const size_t uses = flag->multiUse && value.words.size() % each == 0 ? value.words.size() / each : 1;
        for (size_t k = 0; k < uses; ++k) {
            words.push_back(dashed);
            const size_t first = k * each, last = uses == 1 ? value.words.size() : first + each;
            words.insert(words.end(), value.words.begin() + long(first), value.words.begin() + long(last));
        }
    }
    for (const Argument& a : call.args) words.insert(words.end(), a.words.begin(), a.words.end());
    return words;
}

std::vector<Api::FlagText> Api::flags(const MSyntax& syntax) {
    std::vector<FlagText> all;
    for (const MSyntax::Flag& flag : syntax.flags_) {
        std::string types;
        for (const MSyntax::MArgType type : flag.args)
            types += type == MSyntax::kBoolean                              ? " bool"
                     : type == MSyntax::kLong || type == MSyntax::kUnsigned ? " int"
                     : type == MSyntax::kString                             ? " string"
                                                                            : " double";
        all.push_back({flag.longName, flag.shortName, types, flag.multiUse});
    }
    return all;
}

}  // namespace purl::host

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

// --- parsing of words

static bool toBool(const std::string& word, bool& v) {
    for (const char* yes : {"1", "on", "yes", "true"})
        if (word == yes) return v = true;
    for (const char* no : {"0", "off", "no", "false"})
        if (word == no) {
            v = false;
            return true;
        }
    return false;
}
static bool toInt(const std::string& word, int& v) {
    double x;
    if (!parseNumber(word, x) || x != std::floor(x) || std::abs(x) > 2147483647.0) return false;
    v = int(x);
    return true;
}
static bool fitsType(const std::string& word, MSyntax::MArgType type) {
    bool b;
    int i;
    double d;
    switch (type) {
        case MSyntax::kBoolean: return toBool(word, b);
        case MSyntax::kLong: return toInt(word, i);
        case MSyntax::kUnsigned: return toInt(word, i) && i >= 0;
        case MSyntax::kDouble:
        case MSyntax::kDistance:
        case MSyntax::kAngle:
        case MSyntax::kTime: return parseNumber(word, d);
        default: return true;
    }
}
static const char* nameOfType(MSyntax::MArgType type) {
    switch (type) {
        case MSyntax::kBoolean: return "on or off";
        case MSyntax::kLong: return "an integer";
        case MSyntax::kUnsigned: return "a non-negative integer";
        case MSyntax::kString: return "a string";
        case MSyntax::kSelectionItem: return "an object";
        default: return "a number";
    }
}

// --- MArgList

unsigned int MArgList::length(MStatus* s) const {
    setStatus(s, MStatus::kSuccess);
    return static_cast<unsigned int>(words_.size());
}
MStatus MArgList::get(unsigned int i, bool& v) const {
    return i < words_.size() && toBool(words_[i].asChar(), v) ? MStatus::kSuccess : MStatus::kFailure;
}
MStatus MArgList::get(unsigned int i, int& v) const {
    return i < words_.size() && toInt(words_[i].asChar(), v) ? MStatus::kSuccess : MStatus::kFailure;
}
MStatus MArgList::get(unsigned int i, double& v) const {
    return i < words_.size() && parseNumber(words_[i].asChar(), v) ? MStatus::kSuccess : MStatus::kFailure;
}
MStatus MArgList::get(unsigned int i, MString& v) const {
    if (i >= words_.size()) return MStatus::kFailure;
    v = words_[i];
    return MStatus::kSuccess;
}
template <class T>
static T argument(const MArgList& list, unsigned int i, MStatus* s) {
    T v{};
    const MStatus status = list.get(i, v);
    if (s) *s = status;
    return v;
}
bool MArgList::asBool(unsigned int i, MStatus* s) const { return OpenMayaHost::argument<bool>(*this, i, s); }
int MArgList::asInt(unsigned int i, MStatus* s) const { return OpenMayaHost::argument<int>(*this, i, s); }
double MArgList::asDouble(unsigned int i, MStatus* s) const { return OpenMayaHost::argument<double>(*this, i, s); }
MString MArgList::asString(unsigned int i, MStatus* s) const { return OpenMayaHost::argument<MString>(*this, i, s); }
unsigned int MArgList::flagIndex(const char* shortFlag, const char* longFlag) const {
    auto bare = [](const char* f) { return std::string(f && *f == '-' ? f + 1 : f ? f : ""); };
    for (unsigned int i = 0; i < words_.size(); ++i) {
        const std::string word = words_[i].asChar();
        if (word.size() < 2 || word[0] != '-') continue;
        if (word.substr(1) == bare(shortFlag) || (longFlag && word.substr(1) == bare(longFlag))) return i;
    }
    return kInvalidArgIndex;
}
MStatus MArgList::addArg(bool v) { return addArg(MString(v ? "1" : "0")); }
MStatus MArgList::addArg(int v) { return addArg(MString() + v); }
MStatus MArgList::addArg(double v) { return addArg(MString() + v); }
MStatus MArgList::addArg(const MString& v) {
    words_.push_back(v);
    return MStatus::kSuccess;
}

// --- MSyntax

MStatus MSyntax::addFlag(const char* shortName, const char* longName, MArgType a1, MArgType a2, MArgType a3,
                         MArgType a4, MArgType a5, MArgType a6) {
    if (!shortName || !longName) return MStatus::kInvalidParameter;
    Flag flag;
    flag.shortName = *shortName == '-' ? shortName + 1 : shortName;
    flag.longName = *longName == '-' ? longName + 1 : longName;
    // Maya requires short names of at most three letters and long names of at least four.
    if (flag.shortName.empty() || flag.shortName.size() > 3 || flag.longName.size() < 4)
        return MStatus::kInvalidParameter;
    if (find(flag.shortName) || find(flag.longName)) return MStatus::kFailure;
    for (MArgType a : {a1, a2, a3, a4, a5, a6}) {
        if (a == kNoArg) break;
        flag.args.push_back(a);
    }
    flags_.push_back(flag);
    return MStatus::kSuccess;
}
const MSyntax::Flag* MSyntax::find(std::string name) const {
    if (!name.empty() && name[0] == '-') name.erase(0, 1);
    for (const Flag& f : flags_)
        if (name == f.shortName || name == f.longName) return &f;
    return nullptr;
}
MStatus MSyntax::makeFlagMultiUse(const char* flag) {
    auto* f = const_cast<Flag*>(find(flag));
    if (!f) return MStatus::kInvalidParameter;
    f->multiUse = true;
    return MStatus::kSuccess;
}
MStatus MSyntax::makeFlagQueryWithFullArgs(const char* flag, bool optional) {
    auto* f = const_cast<Flag*>(find(flag));
    if (!f) return MStatus::kInvalidParameter;
    f->fullQuery = true;
    f->queryArgsOptional = optional;
    return MStatus::kSuccess;
}
MStatus MSyntax::addArg(MArgType type) {
    args_.push_back(type);
    return MStatus::kSuccess;
}
MStatus MSyntax::setObjectType(MObjectFormat format, unsigned int minimum) {
    return setObjectType(format, minimum, 0xffffffff);
}
MStatus MSyntax::setObjectType(MObjectFormat format, unsigned int minimum, unsigned int maximum) {
    format_ = format;
    minimum_ = minimum;
    maximum_ = maximum;
    return MStatus::kSuccess;
}

// --- MArgParser

MArgParser::MArgParser(const MSyntax& syntax, const MArgList& args, MStatus* status) : syntax_(syntax) {
    const MStatus s = parse(args);
    if (status) *status = s;
}

MStatus MArgParser::parse(const MArgList& list) {
    auto fail = [](const std::string& why) {
        report(Severity::Error, why);
        return MStatus(MStatus::kFailure);
    };
    std::vector<std::string> words;
    for (unsigned int i = 0; i < list.length(); ++i) words.push_back(list.asString(i).asChar());
    auto isFlag = [&](const std::string& w) {
        double x;
        return w.size() > 1 && w[0] == '-' && !parseNumber(w, x);
    };
    for (const std::string& w : words) {
        query_ = query_ || (syntax_.query_ && (w == "-q" || w == "-query"));
        edit_ = edit_ || (syntax_.edit_ && (w == "-e" || w == "-edit"));
    }
    if (query_ && edit_) return fail("-query and -edit cannot be combined");
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string& w = words[i];
        if (!isFlag(w)) {
            if (args_.size() < syntax_.args_.size()) {
                const MSyntax::MArgType type = syntax_.args_[args_.size()];
                if (!fitsType(w, type)) return fail("'" + w + "' is not " + nameOfType(type));
                args_.push_back(w);
            } else if (syntax_.format_ == MSyntax::kStringObjects || syntax_.format_ == MSyntax::kSelectionList) {
                objects_.push_back(w);
            } else {
                return fail("unexpected argument '" + w + "'");
            }
            continue;
        }
        if ((syntax_.query_ && (w == "-q" || w == "-query")) || (syntax_.edit_ && (w == "-e" || w == "-edit")))
            continue;
        const MSyntax::Flag* flag = syntax_.find(w);
        if (!flag) {
            std::vector<std::string> names;
            for (const auto& f : syntax_.flags_) names.push_back("-" + f.longName);
            const std::string close = nearest(w, names);
            return fail("unknown flag " + w + (close.empty() ? "" : "; did you mean " + close + "?"));
        }
        if (!flag->multiUse)
            for (const Use& u : uses_)
                if (u.flag == flag->longName) return fail("flag -" + flag->longName + " is used twice");
        Use use{flag->longName, {}};
        const bool takesArgs = !query_ || flag->fullQuery;
        for (size_t k = 0; takesArgs && k < flag->args.size(); ++k) {
            const bool there = i + 1 < words.size() && !isFlag(words[i + 1]);
            if (!there && query_ && flag->queryArgsOptional) break;
            if (!there)
                return fail("flag -" + flag->longName + " needs " + std::to_string(flag->args.size()) +
                            (flag->args.size() == 1 ? " argument" : " arguments"));
            if (!fitsType(words[i + 1], flag->args[k]))
                return fail("-" + flag->longName + ": '" + words[i + 1] + "' is not " + nameOfType(flag->args[k]));
            use.args.push_back(words[++i]);
        }
        uses_.push_back(use);
    }
    if (args_.size() < syntax_.args_.size())
        return fail("missing argument: expected " + std::string(nameOfType(syntax_.args_[args_.size()])));
    if (objects_.empty() && syntax_.selection_)
        if (const Graph* g = Graph::current()) objects_ = g->selection;
    if (objects_.size() < syntax_.minimum_)
        return fail("needs at least " + std::to_string(syntax_.minimum_) + " objects");
    if (objects_.size() > syntax_.maximum_)
        return fail("takes at most " + std::to_string(syntax_.maximum_) + " objects");
    return MStatus::kSuccess;
}

const std::string* MArgParser::argument(const char* name, unsigned int use, unsigned int index) const {
    const MSyntax::Flag* flag = syntax_.find(name);
    for (const Use& u : uses_)
        if (flag && u.flag == flag->longName && use-- == 0) return index < u.args.size() ? &u.args[index] : nullptr;
    return nullptr;
}
bool MArgParser::isFlagSet(const char* flag, MStatus* s) const {
    setStatus(s, syntax_.find(flag) ? MStatus::kSuccess : MStatus::kInvalidParameter);
    return numberOfFlagUses(flag) > 0;
}
bool MArgParser::isQuery(MStatus* s) const {
    setStatus(s, MStatus::kSuccess);
    return query_;
}
bool MArgParser::isEdit(MStatus* s) const {
    setStatus(s, MStatus::kSuccess);
    return edit_;
}
unsigned int MArgParser::numberOfFlagsUsed() const { return static_cast<unsigned int>(uses_.size()); }
unsigned int MArgParser::numberOfFlagUses(const char* name) const {
    const MSyntax::Flag* flag = syntax_.find(name);
    unsigned int n = 0;
    for (const Use& u : uses_) n += flag && u.flag == flag->longName;
    return n;
}
static MStatus convert(const std::string* w, bool& v) {
    return w && toBool(*w, v) ? MStatus::kSuccess : MStatus::kFailure;
}
static MStatus convert(const std::string* w, int& v) {
    return w && toInt(*w, v) ? MStatus::kSuccess : MStatus::kFailure;
}
static MStatus convert(const std::string* w, unsigned int& v) {
    int i;
    if (!w || !toInt(*w, i) || i < 0) return MStatus::kFailure;
    v = static_cast<unsigned int>(i);
    return MStatus::kSuccess;
}
static MStatus convert(const std::string* w, double& v) {
    return w && parseNumber(*w, v) ? MStatus::kSuccess : MStatus::kFailure;
}
static MStatus convert(const std::string* w, MString& v) {
    if (!w) return MStatus::kFailure;
    v = w->c_str();
    return MStatus::kSuccess;
}
// Unit values in arguments are in the scene's units.
static MStatus convert(const std::string* w, MTime& v) {
    double x;
    if (!w || !parseNumber(*w, x)) return MStatus::kFailure;
    v = MTime(x, MTime::uiUnit());
    return MStatus::kSuccess;
}
static MStatus convert(const std::string* w, MDistance& v) {
    double x;
    if (!w || !parseNumber(*w, x)) return MStatus::kFailure;
    v = MDistance(x, MDistance::uiUnit());
    return MStatus::kSuccess;
}
static MStatus convert(const std::string* w, MAngle& v) {
    double x;
    if (!w || !parseNumber(*w, x)) return MStatus::kFailure;
    v = MAngle(x, MAngle::uiUnit());
    return MStatus::kSuccess;
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, bool& v) const {
    return convert(argument(f, 0, i), v);
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, int& v) const {
    return convert(argument(f, 0, i), v);
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, unsigned int& v) const {
    return convert(argument(f, 0, i), v);
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, double& v) const {
    return convert(argument(f, 0, i), v);
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, MString& v) const {
    return convert(argument(f, 0, i), v);
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, MTime& v) const {
    return convert(argument(f, 0, i), v);
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, MDistance& v) const {
    return convert(argument(f, 0, i), v);
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, MAngle& v) const {
    return convert(argument(f, 0, i), v);
}
template <class T>
static T given(const std::string* w, MStatus* s) {
    T v{};
    const MStatus status = convert(w, v);
    if (s) *s = status;
    return v;
}
bool MArgParser::flagArgumentBool(const char* f, unsigned int i, MStatus* s) const {
    return given<bool>(argument(f, 0, i), s);
}
int MArgParser::flagArgumentInt(const char* f, unsigned int i, MStatus* s) const {
    return given<int>(argument(f, 0, i), s);
}
double MArgParser::flagArgumentDouble(const char* f, unsigned int i, MStatus* s) const {
    return given<double>(argument(f, 0, i), s);
}
MString MArgParser::flagArgumentString(const char* f, unsigned int i, MStatus* s) const {
    return given<MString>(argument(f, 0, i), s);
}
MStatus MArgParser::getFlagArgumentList(const char* name, unsigned int use, MArgList& args) const {
    const MSyntax::Flag* flag = syntax_.find(name);
    for (const Use& u : uses_)
        if (flag && u.flag == flag->longName && use-- == 0) {
            args = MArgList();
            for (const std::string& w : u.args) args.addArg(w.c_str());
            return MStatus::kSuccess;
        }
    return MStatus::kFailure;
}
static const std::string* at(const std::vector<std::string>& words, unsigned int i) {
    return i < words.size() ? &words[i] : nullptr;
}
MStatus MArgParser::getCommandArgument(unsigned int i, bool& v) const { return convert(at(args_, i), v); }
MStatus MArgParser::getCommandArgument(unsigned int i, int& v) const { return convert(at(args_, i), v); }
MStatus MArgParser::getCommandArgument(unsigned int i, double& v) const { return convert(at(args_, i), v); }
MStatus MArgParser::getCommandArgument(unsigned int i, MString& v) const { return convert(at(args_, i), v); }
MString MArgParser::commandArgumentString(unsigned int i, MStatus* s) const { return given<MString>(at(args_, i), s); }
int MArgParser::commandArgumentInt(unsigned int i, MStatus* s) const { return given<int>(at(args_, i), s); }
double MArgParser::commandArgumentDouble(unsigned int i, MStatus* s) const { return given<double>(at(args_, i), s); }
MStatus MArgParser::getObjects(MStringArray& objects) const {
    objects.clear();
    for (const std::string& w : objects_) objects.append(w.c_str());
    return MStatus::kSuccess;
}

// --- MArgDatabase: object names must exist

MArgDatabase::MArgDatabase(const MSyntax& syntax, const MArgList& args, MStatus* status)
    : MArgParser(syntax, args, status) {
    MSelectionList list;
    if ((!status || *status) && syntax_.format_ == MSyntax::kSelectionList) {
        const MStatus s = getObjects(list);
        if (status) *status = s;
    }
}
static MStatus addObject(MSelectionList& list, const std::string& name) {
    const MStatus s = list.add(name.c_str());
    if (!s) report(Severity::Error, "no object named " + name);
    return s;
}
MStatus MArgDatabase::getFlagArgument(const char* flag, unsigned int index, MSelectionList& list) const {
    const std::string* w = argument(flag, 0, index);
    return w ? addObject(list, *w) : MStatus(MStatus::kFailure);
}
MStatus MArgDatabase::getObjects(MSelectionList& list) const {
    list.clear();
    for (const std::string& w : objects_) {
        const MStatus s = addObject(list, w);
        if (!s) return s;
    }
    return MStatus::kSuccess;
}

// --- MPxCommand

MPxCommand::~MPxCommand() = default;
MStatus MPxCommand::undoIt() { return MStatus::kFailure; }
MStatus MPxCommand::redoIt() { return MStatus::kFailure; }
bool MPxCommand::isUndoable() const { return false; }
bool MPxCommand::hasSyntax() const { return createSyntax_ != nullptr; }
MSyntax MPxCommand::syntax() const { return createSyntax_ ? createSyntax_() : MSyntax(); }
void MPxCommand::displayInfo(const MString& text, bool) { report(Severity::Info, text.asChar()); }
void MPxCommand::displayWarning(const MString& text, bool) { report(Severity::Warning, text.asChar()); }
void MPxCommand::displayError(const MString& text, bool) { report(Severity::Error, text.asChar()); }

static CommandResult& result() { return currentCommandResult(); }
void MPxCommand::clearResult() { result() = CommandResult(); }
void MPxCommand::setResult(bool v) { result() = CommandResult(v); }
void MPxCommand::setResult(int v) { result() = CommandResult(v); }
void MPxCommand::setResult(double v) { result() = CommandResult(v); }
void MPxCommand::setResult(const MString& v) { result() = CommandResult(std::string(v.asChar())); }
void MPxCommand::setResult(const MIntArray& v) { result() = CommandResult(Api::items(v)); }
void MPxCommand::setResult(const MDoubleArray& v) { result() = CommandResult(Api::items(v)); }
static std::vector<std::string> strings(const MStringArray& v) {
    std::vector<std::string> all;
    for (unsigned int i = 0; i < v.length(); ++i) all.push_back(v[i].asChar());
    return all;
}
void MPxCommand::setResult(const MStringArray& v) { result() = CommandResult(strings(v)); }

// A second value turns the result into a list; a value of another type starts a new list.
template <class T>
static void append(const T& v) {
    CommandResult& r = result();
    if (auto* list = std::get_if<std::vector<T>>(&r)) {
        list->push_back(v);
    } else if (auto* one = std::get_if<T>(&r)) {
        r = std::vector<T>{*one, v};
    } else {
        r = std::vector<T>{v};
    }
}
void MPxCommand::appendToResult(int v) { append(v); }
void MPxCommand::appendToResult(double v) { append(v); }
void MPxCommand::appendToResult(const MString& v) { append(std::string(v.asChar())); }

}  // namespace Autodesk::Maya::OpenMayaHost
