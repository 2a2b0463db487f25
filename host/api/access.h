// The only conversions between API objects and the graph objects behind them.
#pragma once
#include <maya/MDagPath.h>
#include <maya/MDataBlock.h>
#include <maya/MEvaluationNode.h>
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MPxCommand.h>
#include <maya/MPxData.h>
#include <maya/MPxNode.h>
#include <maya/MString.h>
#include <maya/MStringResourceId.h>

#include "host/commands/call.h"
#include "host/graph/graph.h"

namespace purl::host {

struct Api {
    // --- objects
    static const std::shared_ptr<Object>& get(const MObject& o) { return o.object_; }
    static void set(MObject& o, std::shared_ptr<Object> p) { o.object_ = std::move(p); }
    static MObject make(std::shared_ptr<Object> p) {
        MObject o;
        o.object_ = std::move(p);
        return o;
    }
    template <class T>
    static std::shared_ptr<T> as(const MObject& o) {
        return std::dynamic_pointer_cast<T>(o.object_);
    }
    static NodePtr node(const MObject& o) { return as<Node>(o); }
    static AttrPtr attr(const MObject& o) { return as<Attr>(o); }

    // --- plugs
    static Plug plug(const MPlug& p) {
        Plug q;
        q.node = node(p.node_);
        q.attr = attr(p.attribute_);
        q.indices = p.indices_;
        return q;
    }
    static MPlug make(const Plug& p) {
        MPlug q;
        q.node_.object_ = p.node;
        q.attribute_.object_ = p.attr;
        q.indices_ = p.indices;
        return q;
    }

    // --- values
    static MDataBlock block(const NodePtr& n) {
        MDataBlock b;
        b.node_ = make(n);
        return b;
    }
    static MDataHandle handle(std::shared_ptr<void> owner, Value* value, bool writable) {
        MDataHandle h;
        h.owner_ = std::move(owner);
        h.value_ = value;
        h.writable_ = writable;
        return h;
    }
    static Value* value(const MDataHandle& h) { return h.value_; }
    static const std::shared_ptr<void>& owner(const MDataHandle& h) { return h.owner_; }
    static bool writable(const MDataHandle& h) { return h.writable_; }
    static void attach(MPxNode& user, const NodePtr& n) { user.node_ = n; }
    static std::weak_ptr<Object>& owner(MPxData& data) { return data.owner_; }

    // --- arrays that alias data
    template <class A, class T>
    static A alias(const std::shared_ptr<std::vector<T>>& items) {
        A a;
        a.items_ = items;
        return a;
    }
    template <class A>
    static const auto& items(const A& a) {
        return *a.items_;
    }
    template <class A>
    static auto& items(A& a) {
        return *a.items_;
    }

    static const std::string& text(const MString& s) { return s.text_; }
    static MString make(const std::string& s) { return MString(s.c_str()); }
    static DagPath path(const MDagPath& p) {
        DagPath all;
        for (const MObject& o : p.nodes_) all.push_back(node(o));
        return all;
    }
    static MDagPath make(const DagPath& path) {
        MDagPath p;
        for (const NodePtr& n : path) p.nodes_.push_back(make(std::static_pointer_cast<Object>(n)));
        return p;
    }
    // The node that is evaluated: that of its dirty plugs; null if it has none.
    static NodePtr node(const MEvaluationNode& n) { return n.dirty_.empty() ? nullptr : node(n.dirty_[0].node_); }
    static MEvaluationNode evaluationNode(const std::vector<Plug>& dirty) {
        MEvaluationNode e;
        for (const Plug& p : dirty) e.dirty_.push_back(make(p));
        return e;
    }
    static const std::string& plugin(const MStringResourceId& id) { return id.plugin_.text_; }
    static const std::string& key(const MStringResourceId& id) { return id.key_.text_; }
    static const std::string& english(const MStringResourceId& id) { return id.text_.text_; }
    static const std::vector<MObject>& attributes(const MCacheSchema& schema) { return schema.attributes_; }
    static void setSyntax(MPxCommand& command, MSyntax (*create)()) { command.createSyntax_ = create; }
    // Converts a call to the argument words of a command with this syntax. Throws Error for an unknown flag.
    static std::vector<std::string> words(const MSyntax& syntax, const Call& call);
    // The flags of a command, with the types of their values: " string", " double double".
    struct FlagText {
        std::string longName, shortName, types;
        bool multiUse;
    };
    static std::vector<FlagText> flags(const MSyntax& syntax);
};

inline void setStatus(MStatus* status, MStatus::MStatusCode code) {
    if (status) *status = code;
}

// Sends a message to the sink of the current graph, or to the default sink of host.h.
void report(Severity severity, const std::string& text);

// Runs an edit; reports an Error as a message and returns kFailure.
template <class Edit>
MStatus attempt(Edit edit) {
    try {
        edit();
        return MStatus::kSuccess;
    } catch (const Error& e) {
        report(Severity::Error, e.what());
        return MStatus::kFailure;
    }
}

// The current graph, for calls that do not name a node; null, with an error message, if there is none.
Graph* needGraph(const char* caller);

double ticksOf(const MTime& t);
MTime timeOf(double ticks);  // in the scene's unit

}  // namespace purl::host
