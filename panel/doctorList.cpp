#include "panel/doctorList.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "panel/style.h"

namespace purl {
namespace {

bool same(const std::vector<PanelProblem>& a, const std::vector<PanelProblem>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
               return x.node == y.node && x.text == y.text && x.fix == y.fix;
           });
}

QString capitalised(const std::string& text) {
    QString out = QString::fromStdString(text);
    if (!out.isEmpty()) out[0] = out[0].toUpper();
    return out;
}

}  // namespace

DoctorList::DoctorList(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* split = new QSplitter(Qt::Vertical);
    scroll_ = new QScrollArea;
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    log_ = new QPlainTextEdit;
    log_->setReadOnly(true);
    log_->setFocusPolicy(Qt::ClickFocus);
    log_->setPlaceholderText("Simulation messages appear here.");
    split->addWidget(scroll_);
    split->addWidget(log_);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setSizes({360, 120});
    column->addWidget(split);
}

QWidget* DoctorList::cardOf(const PanelProblem& problem) {
    auto* card = new QWidget;
    card->setObjectName("card");
    card->setAttribute(Qt::WA_StyledBackground);
    card->setStyleSheet("QWidget#card { background: " + ink::kField.name() + "; border-left: 3px solid " +
                        colorOf(problem.severity).name() + "; border-radius: 4px; }");
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(12, 9, 10, 9);
    column->setSpacing(6);
    if (!problem.node.empty()) {
        auto* node = new QLabel("<a href='node' style='color: " + ink::kText.name() +
                                "; text-decoration: none; font-weight: 600'>" +
                                QString::fromStdString(problem.node).toHtmlEscaped() + "</a>");
        node->setToolTip("Show its settings");
        connect(node, &QLabel::linkActivated, this, [this, name = problem.node] {
            if (onNode) onNode(name);
        });
        column->addWidget(node);
    }
    auto* text = new QLabel(capitalised(problem.text) + ".");
    text->setWordWrap(true);
    column->addWidget(text);
    if (!problem.fix.empty()) {
        auto* fix = new QPushButton(capitalised(problem.fix));
        connect(fix, &QPushButton::clicked, this, [this, problem] {
            if (onFix) onFix(problem);
        });
        column->addWidget(fix, 0, Qt::AlignLeft);
    }
    return card;
}

void DoctorList::show(const PanelState& state) {
    if (!any_ || !same(shown_, state.problems)) {
        any_ = true;
        shown_ = state.problems;
        auto* page = new QWidget;
        auto* column = new QVBoxLayout(page);
        column->setContentsMargins(10, 10, 10, 10);
        column->setSpacing(8);
        if (shown_.empty()) {
            auto* noProblems = new QLabel("No problems found in this scene.");
            noProblems->setStyleSheet("color: " + ink::kGood.name());
            column->addWidget(noProblems);
        }
        for (const PanelProblem& problem : shown_) column->addWidget(cardOf(problem));
        column->addStretch(1);
        scroll_->setWidget(page);
    }
    if (messages_ == state.messages.size()) return;
    messages_ = state.messages.size();
    QString html;
    for (const PanelMessage& message : state.messages)
        html += "<div style='color: " + colorOf(message.severity).name() + "'>" +
                QString::fromStdString(message.text).toHtmlEscaped() + "</div>";
    log_->clear();
    log_->appendHtml(html);
}

}  // namespace purl
