// The player's edits of its scene: values, commands, undo, the doctor's fixes, saving.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/view/player.h"
#include "host/api/access.h"
#include "plugin/panelNodes.h"
#include "solver/core/path.h"

namespace purl {

void Player::set(const std::string& node, const std::string& attribute, const std::string& value) {
    const std::string plug = node + "." + attribute;
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::pair key(order_, plug);
    const bool queued = pending_.count(key) > 0;
    pending_[key] = value;
    if (queued) return;
    stop_ = true;
    jobs_.push_back([this, plug, key] {
        std::string latest;
        {
            const std::lock_guard<std::mutex> inner(mutex_);
            latest = pending_[key];
            pending_.erase(key);
        }
        const host::Graph::Scope scope(requireEditable().graph());
        const std::string before = playback_->graph().plug(plug).asText();
        assign(plug, latest);
        // Consecutive changes of one attribute (a dragged slider) are one undo step.
        if (!finished_ && !done_.empty() && done_.back().plug == plug && undone_.empty())
            done_.back().after = latest;
        else
            done_.push_back({plug, before, latest});
        undone_.clear();
        finished_ = false;
    });
    wake_.notify_all();
}

void Player::finishEdit() {
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back([this] { finished_ = true; });
    ++order_;
    wake_.notify_all();
}

void Player::run(Commands commands) {
    post([this, commands = std::move(commands)] {
        host::Session& session = requireEditable().session();
        session.openChunk();
        session.command("select", {"-clear"});  // undoable, so that there is always a step
        std::string name;
        try {
            name = commands(session);
        } catch (...) {
            session.closeChunk();
            session.undo();
            undone_.clear();  // the session has forgotten them
            readEdited();
            listNodes();
            throw;
        }
        session.closeChunk();
        done_.push_back({"", "", "", ++commandCount_});
        undone_.clear();
        if (!name.empty()) {
            const std::lock_guard<std::mutex> lock(mutex_);
            created_ = name;
            ++createdCount_;
        }
        restructure();
    });
}

void Player::undo() {
    post([this] {
        if (done_.empty()) return;
        requireEditable();
        const Edit edit = done_.back();
        done_.pop_back();
        finished_ = true;
        if (edit.commands) {
            playback_->session().undo();
            restructure();
        } else {
            assign(edit.plug, edit.before);
        }
        undone_.push_back(edit);
    });
}

void Player::redo() {
    post([this] {
        if (undone_.empty()) return;
        requireEditable();
        const Edit edit = undone_.back();
        undone_.pop_back();
        if (edit.commands) {
            playback_->session().redo();
            restructure();
        } else {
            assign(edit.plug, edit.after);
        }
        done_.push_back(edit);
    });
}

void Player::editFrom(EditFrom from) {
    const std::lock_guard<std::mutex> lock(mutex_);
    editFrom_ = from;
}

void Player::setRange(const FrameRange& range) {
    post([this, range] {
        requirePlayback();
        if (reader_) throw Error("a cache is open; its range is that of its frames");
        if (range.last < range.first || std::abs(range.first) > kMaxFrame || std::abs(range.last) > kMaxFrame)
            throw Error("playback range: the last frame is before the first, or a frame is beyond " +
                        std::to_string(kMaxFrame));
        playback_->setPlaybackRange(range);
        const std::lock_guard<std::mutex> lock(mutex_);
        shown_.firstFrame = range.first;
        shown_.lastFrame = range.last;
        shown_.changed = true;
        if (requested_ != kNone) requested_ = std::min(requested_, range.last);
    });
}

void Player::save(const std::string& path) {
    post([this, path] {
        requirePlayback().saveAs(path);
        savedCommands_ = commandsDone();
        addMessage(PanelSeverity::note, "saved as " + path);
        if (!reader_) cacheFolder_ = defaultOutput(path);
        const std::lock_guard<std::mutex> lock(mutex_);
        path_ = path;
        shown_.changed = false;
        shown_.title = toText(toPath(path).filename());
    });
}

void Player::fix(const PanelProblem& shown) {
    post([this, shown] {
        requireEditable();
        for (const Problem& problem : problems_) {
            if (problem.node != shown.node || problem.what != shown.text) continue;
            cure(*playback_, problem);
            listNodes();
            {
                const std::lock_guard<std::mutex> lock(mutex_);
                shown_.changed = true;
            }
            // Changed connections affect the whole simulation.
            discardFrom(kNone);
            listProblems();
            return;
        }
    });
}

void Player::assign(const std::string& plug, const std::string& value) {
    playback_->set(plug + "=" + value);
    readEdited();
    listNodes();
    const size_t dot = plug.rfind('.');
    const std::string attribute = plug.substr(dot + 1);
    bool initialOnly = false;
    int from = kNone;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (const PanelNode& node : *shown_.nodes) {
            const PanelAttribute* row = node.name == plug.substr(0, dot) ? node.find(attribute) : nullptr;
            initialOnly = initialOnly || (row && row->initialOnly);
        }
        shown_.changed = true;
        if (!initialOnly && editFrom_ == EditFrom::thisFrame) from = current_;
    }
    discardFrom(from);
    listProblems();
}

// Discards frames from this one on, or from an earlier one if no state just before it is kept.
void Player::discardFrom(int frame) {
    int keep = kNone;
    if (playback_ && frame == kNone)
        playback_->restart();
    else if (playback_)
        keep = playback_->continueBefore(frame).value_or(kNone);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (shown_.editable && requested_ == kNone) requested_ = current_;
    moments_.erase(keep == kNone ? moments_.begin() : moments_.upper_bound(keep), moments_.end());
    dropped_.erase(keep == kNone ? dropped_.begin() : dropped_.upper_bound(keep), dropped_.end());
    staleBefore_ = keep == kNone ? kNone : keep + 1;
    auto& samples = shown_.samples;
    samples.erase(std::remove_if(samples.begin(), samples.end(), [&](const auto& s) { return s.frame > keep; }),
                  samples.end());
}

// The chain of frames may end elsewhere, and every body may be another one.
void Player::restructure() {
    playback_->followChain();
    playback_->writeNothing();
    playback_->keepStates(kMaxStateBytes);
    readEdited();
    listNodes();
    discardFrom(kNone);
    listProblems();
    const std::lock_guard<std::mutex> lock(mutex_);
    shown_.changed = true;
}

std::vector<long> Player::commandsDone() const {
    std::vector<long> commands;
    for (const Edit& edit : done_)
        if (edit.commands) commands.push_back(edit.commands);
    return commands;
}

StagePtr Player::readStage() {
    auto stage = std::make_shared<Stage>();
    host::Graph& graph = playback_->graph();
    const host::Graph::Scope scope(graph);
    stage->objects = objectsOf(*playback_);
    const auto nameOf = [&](const host::NodePtr& camera) { return graph.dagName(camera->parents.front()->ptr()); };
    const host::NodePtr shot = chooseCamera(graph, "");
    if (shot) stage->shot = nameOf(shot);
    for (const host::NodePtr& camera : camerasOf(graph))
        stage->cameras.push_back({nameOf(camera), sceneCamera(graph, *camera)});
    return stage;
}

void Player::readEdited() {
    int frame = 0;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        frame = current_;
    }
    playback_->showFrame(frame);
    StagePtr stage;
    try {
        stage = readStage();
    } catch (const std::exception&) { return; }  // a body that fails is reported when it is simulated
    const std::lock_guard<std::mutex> lock(mutex_);
    edited_ = std::move(stage);
}

void Player::listNodes() {
    const host::Graph::Scope scope(playback_->graph());
    const host::NodePtr solver = playback_->graph().find(playback_->solverName());
    auto nodes = std::make_shared<std::vector<PanelNode>>(panelNodes(host::Api::make(solver)));
    if (edited_)
        for (PanelNode& row : objectRows(playback_->graph(), edited_->objects)) nodes->push_back(std::move(row));
    const std::lock_guard<std::mutex> lock(mutex_);
    shown_.nodes = std::move(nodes);
    ++shown_.edits;
}

void Player::listProblems() {
    std::vector<PanelProblem> shown;
    problems_ = examine(*playback_);
    for (const Problem& problem : problems_) {
        const PanelSeverity severity = problem.harm == Harm::error     ? PanelSeverity::error
                                       : problem.harm == Harm::warning ? PanelSeverity::warning
                                                                       : PanelSeverity::note;
        shown.push_back({severity, problem.node, problem.what, problem.curable() ? problem.remedy : ""});
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    shown_.problems = std::move(shown);
}

}  // namespace purl
