#include "panel/attributeEditor.h"

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QDoubleValidator>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>

#include "panel/style.h"

namespace purl {
namespace {

constexpr int kSliderSteps = 1000;
constexpr int kLabelWidth = 132, kNumberWidth = 74;

std::array<double, 3> threeOf(const std::string& text) {
    std::array<double, 3> numbers{};
    const QStringList parts = QString::fromStdString(text).split(' ', Qt::SkipEmptyParts);
    for (int i = 0; i < 3 && i < parts.size(); ++i) numbers[i] = parts[i].toDouble();
    return numbers;
}

// With a decimal point, regardless of the locale.
double numberIn(const std::string& text) { return QString::fromStdString(text).toDouble(); }
QString shortNumber(double value) { return QString::number(value, 'g', 5); }

// Conversion between linear colours, as stored in scenes, and sRGB for display.
QColor onScreen(const std::array<double, 3>& linear) {
    const auto encode = [](double x) {
        x = std::clamp(x, 0.0, 1.0);
        return x < 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
    };
    return QColor::fromRgbF(static_cast<float>(encode(linear[0])), static_cast<float>(encode(linear[1])),
                            static_cast<float>(encode(linear[2])));
}
double toLinear(double x) { return x < 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); }

// Ignores the mouse wheel, so that scrolling the page changes no values, and leaves keys to the timeline.
template <class Widget>
class NoWheel : public Widget {
  public:
    template <class... Arguments>
    explicit NoWheel(Arguments&&... arguments) : Widget(std::forward<Arguments>(arguments)...) {
        this->setFocusPolicy(Qt::NoFocus);
    }

  protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

// Maps slider positions to values: linearly, or logarithmically if the range spans decades.
class Range {
  public:
    Range(double low, double high) : low_(low), high_(high), ratio_(low > 0 && high / low >= 500) {}
    double at(int step) const {
        const double fraction = double(step) / kSliderSteps;
        return ratio_ ? low_ * std::pow(high_ / low_, fraction) : low_ + fraction * (high_ - low_);
    }
    int placeOf(double value) const {
        const double clamped = std::clamp(value, low_, high_);
        const double fraction =
            ratio_ ? std::log(clamped / low_) / std::log(high_ / low_) : (clamped - low_) / (high_ - low_);
        return static_cast<int>(std::lround(fraction * kSliderSteps));
    }

  private:
    double low_, high_;
    bool ratio_;
};

}  // namespace

// One setting: label and editor widget.
class AttributeRow {
  public:
    using Edit = std::function<void(const std::string& value)>;

    AttributeRow(const PanelAttribute& about, QGridLayout* grid, Edit edit) : about_(about), edit_(std::move(edit)) {
        label_ = new QLabel(QString::fromStdString(displayName(about.name)));
        label_->setFixedWidth(kLabelWidth);
        label_->setContextMenuPolicy(Qt::CustomContextMenu);
        QObject::connect(label_, &QLabel::customContextMenuRequested, label_, [this](const QPoint& at) { offer(at); });
        body_ = new QWidget;
        auto* layout = new QHBoxLayout(body_);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(6);
        build(layout);
        const int row = grid->rowCount();
        grid->addWidget(label_, row, 0);
        grid->addWidget(body_, row, 1);
        show(about);
    }

    const PanelAttribute& about() const { return about_; }

    void show(const PanelAttribute& about) {
        about_ = about;
        label_->setObjectName(about.value == about.defaultValue ? "quiet" : "changed");
        label_->setStyleSheet("");  // re-evaluates the style sheet for the new object name
        QString tip = QString::fromStdString("<p><b>" + about.name + "</b>" +
                                             (about.unit.empty() ? "" : " (" + about.unit + ")") + "</p><p>") +
                      QString::fromStdString(about.sentence).toHtmlEscaped() + "</p>";
        if (!about.defaultValue.empty()) tip += QString::fromStdString("<p>Default: " + about.defaultValue + ".</p>");
        if (!about.driver.empty()) tip += QString::fromStdString("<p>Driven by " + about.driver + ".</p>");
        label_->setToolTip(tip);
        body_->setToolTip(tip);
        body_->setEnabled(about.driver.empty());
        if (box_) {
            const QSignalBlocker quiet(box_);
            box_->setCurrentText(QString::fromStdString(displayName(about.value)));
        }
        if (check_) {
            const QSignalBlocker quiet(check_);
            check_->setChecked(about.value == "on");
        }
        if (swatch_)
            swatch_->setStyleSheet("background: " + onScreen(threeOf(about.value)).name() + "; border-radius: 3px;");
        if (slider_ && !slider_->isSliderDown()) {
            const QSignalBlocker quiet(slider_);
            slider_->setValue(range().placeOf(numberIn(about.value)));
        }
        if (fields_.size() == 3) {
            const auto numbers = threeOf(about.value);
            for (size_t i = 0; i < 3; ++i)
                if (!fields_[i]->hasFocus()) fields_[i]->setText(shortNumber(numbers[i]));
        } else if (!fields_.empty() && !fields_[0]->hasFocus()) {
            fields_[0]->setText(about.type == "string" ? QString::fromStdString(about.value)
                                                       : shortNumber(numberIn(about.value)));
        }
    }

    bool matches(const QString& text) const {
        return text.isEmpty() ||
               QString::fromStdString(displayName(about_.name) + " " + about_.name + " " + about_.sentence)
                   .contains(text, Qt::CaseInsensitive);
    }
    void setVisible(bool visible) {
        label_->setVisible(visible);
        body_->setVisible(visible);
    }

  private:
    Range range() const {
        // A half-open range is closed using the current value.
        const double value = numberIn(about_.value);
        const double low = std::isfinite(about_.softMin) ? about_.softMin : std::min(0.0, 2 * value);
        double high = std::isfinite(about_.softMax) ? about_.softMax : std::max(1.0, 2 * value);
        if (!(high > low)) high = low + 1;
        return {low, high};
    }

    QLineEdit* addField(QHBoxLayout* layout, bool number) {
        auto* field = new QLineEdit;
        if (number) {
            auto* validator = new QDoubleValidator(field);
            validator->setLocale(QLocale::c());
            field->setValidator(validator);
        }
        field->setFocusPolicy(Qt::ClickFocus);
        QObject::connect(field, &QLineEdit::returnPressed, field, [field] { field->clearFocus(); });
        QObject::connect(field, &QLineEdit::editingFinished, field, [this, field] {
            if (!field->isModified()) return;
            field->setModified(false);
            QString text = fields_[0]->text();
            for (size_t i = 1; i < fields_.size(); ++i) text += " " + fields_[i]->text();
            edit_(text.toStdString());
        });
        fields_.push_back(field);
        layout->addWidget(field);
        return field;
    }

    void build(QHBoxLayout* layout) {
        if (about_.type == "enum") {
            box_ = new NoWheel<QComboBox>;
            for (const std::string& choice : about_.choices) box_->addItem(QString::fromStdString(displayName(choice)));
            QObject::connect(box_, qOverload<int>(&QComboBox::currentIndexChanged), box_,
                             [this](int choice) { edit_(about_.choices[choice]); });
            layout->addWidget(box_, 1);
        } else if (about_.type == "bool") {
            check_ = new QCheckBox;
            check_->setFocusPolicy(Qt::NoFocus);
            QObject::connect(check_, &QCheckBox::toggled, check_, [this](bool on) { edit_(on ? "on" : "off"); });
            layout->addWidget(check_);
            layout->addStretch(1);
        } else if (about_.type == "color") {
            swatch_ = new QPushButton;
            swatch_->setFocusPolicy(Qt::NoFocus);
            swatch_->setFixedSize(46, 20);
            QObject::connect(swatch_, &QPushButton::clicked, swatch_, [this] { chooseColor(); });
            layout->addWidget(swatch_);
            layout->addStretch(1);
        } else if (about_.type == "float3" || about_.type == "distance3") {
            for (int i = 0; i < 3; ++i) addField(layout, true);
        } else if (about_.type == "string") {
            addField(layout, false);
        } else {
            addField(layout, true)->setFixedWidth(kNumberWidth);
            slider_ = new NoWheel<QSlider>(Qt::Horizontal);
            slider_->setRange(0, kSliderSteps);
            QObject::connect(slider_, &QSlider::valueChanged, slider_, [this](int step) {
                double value = range().at(step);
                if (about_.type == "int") value = std::round(value);
                const QString text = QString::number(value, 'g', 4);
                fields_[0]->setText(shortNumber(text.toDouble()));
                edit_(text.toStdString());
            });
            layout->addWidget(slider_, 1);
        }
        if (!about_.unit.empty() && about_.unit != "rgb") {
            auto* unit = new QLabel(QString::fromStdString(about_.unit));
            unit->setObjectName("quiet");
            unit->setFixedWidth(44);
            layout->addWidget(unit);
        }
    }

    void offer(const QPoint& at) {
        if (about_.defaultValue.empty() || about_.value == about_.defaultValue || !about_.driver.empty()) return;
        QMenu menu;
        QAction* reset = menu.addAction("Reset to " + QString::fromStdString(about_.defaultValue));
        if (menu.exec(label_->mapToGlobal(at)) == reset) edit_(about_.defaultValue);
    }

    void chooseColor() {
        const QColor color = QColorDialog::getColor(onScreen(threeOf(about_.value)), swatch_);
        if (!color.isValid()) return;
        edit_(QString("%1 %2 %3")
                  .arg(toLinear(double(color.redF())), 0, 'g', 4)
                  .arg(toLinear(double(color.greenF())), 0, 'g', 4)
                  .arg(toLinear(double(color.blueF())), 0, 'g', 4)
                  .toStdString());
    }

    PanelAttribute about_;
    Edit edit_;
    QLabel* label_ = nullptr;
    QWidget* body_ = nullptr;
    QComboBox* box_ = nullptr;
    QCheckBox* check_ = nullptr;
    QPushButton* swatch_ = nullptr;
    QSlider* slider_ = nullptr;
    std::vector<QLineEdit*> fields_;
};

struct AttributeEditor::Section {
    std::string heading;
    QToolButton* head = nullptr;
    QWidget* body = nullptr;
    std::vector<std::unique_ptr<AttributeRow>> rows;
};

AttributeEditor::AttributeEditor(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 4, 0);
    layout->setSpacing(4);
    title_ = new QLabel;
    title_->setObjectName("title");
    sentence_ = new QLabel;
    sentence_->setObjectName("quiet");
    sentence_->setWordWrap(true);
    search_ = new QLineEdit;
    search_->setPlaceholderText("Find a setting");
    search_->setFocusPolicy(Qt::ClickFocus);
    search_->setClearButtonEnabled(true);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) { filter(text); });
    scroll_ = new QScrollArea;
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(title_);
    layout->addWidget(sentence_);
    layout->addWidget(search_);
    layout->addWidget(scroll_, 1);
}

AttributeEditor::~AttributeEditor() = default;

void AttributeEditor::show(const PanelState& state, const std::string& name) {
    const PanelNode* node = nullptr;
    for (const PanelNode& each : *state.nodes)
        if (each.name == name) node = &each;
    search_->setVisible(node != nullptr);
    if (!node) {
        node_.clear();
        title_->setText("Nothing selected");
        sentence_->setText("Select a body above to see its settings.");
        scroll_->setWidget(new QWidget);
        sections_.clear();
        return;
    }
    if (node_ != name) build(*node);
    scroll_->widget()->setEnabled(state.editable);
    sentence_->setText(QString::fromStdString(
        state.editable ? node->sentence : "A cache is open; return to the simulation to change settings."));
    for (const auto& section : sections_)
        for (const auto& row : section->rows)
            if (const PanelAttribute* now = node->find(row->about().name))
                if (now->value != row->about().value || now->driver != row->about().driver) row->show(*now);
}

void AttributeEditor::build(const PanelNode& node) {
    node_ = node.name;
    type_ = node.type;
    title_->setText(QString::fromStdString(node.name));
    sections_.clear();
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 6, 12);
    column->setSpacing(0);
    for (const PanelAttribute& attribute : node.attributes) {
        if (sections_.empty() || sections_.back()->heading != attribute.section) {
            auto section = std::make_unique<Section>();
            section->heading = attribute.section;
            section->head = new QToolButton;
            section->head->setObjectName("section");
            section->head->setFocusPolicy(Qt::NoFocus);
            section->head->setText(QString::fromStdString(attribute.section));
            section->head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
            section->head->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
            section->body = new QWidget;
            auto* grid = new QGridLayout(section->body);
            grid->setContentsMargins(6, 5, 0, 8);
            grid->setHorizontalSpacing(8);
            grid->setVerticalSpacing(4);
            grid->setColumnStretch(1, 1);
            column->addWidget(section->head);
            column->addWidget(section->body);
            const std::string key = node.type + "/" + attribute.section;
            const auto toggle = [this, key, head = section->head, body = section->body](bool open) {
                head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
                body->setVisible(open);
                isOpen_[key] = open;
            };
            connect(section->head, &QToolButton::clicked, this,
                    [toggle, body = section->body] { toggle(!body->isVisible()); });
            toggle(isOpen_.emplace(key, !attribute.startsClosed).first->second);
            sections_.push_back(std::move(section));
        }
        Section& section = *sections_.back();
        section.rows.push_back(std::make_unique<AttributeRow>(attribute,
                                                              static_cast<QGridLayout*>(section.body->layout()),
                                                              [this, name = attribute.name](const std::string& value) {
                                                                  if (onEdit) onEdit(name, value);
                                                              }));
    }
    column->addStretch(1);
    scroll_->setWidget(page);
    filter(search_->text());
}

void AttributeEditor::filter(const QString& text) {
    for (const auto& section : sections_) {
        bool any = false;
        for (const auto& row : section->rows) {
            const bool matches = row->matches(text);
            any = any || matches;
            row->setVisible(matches);
        }
        section->head->setVisible(any);
        section->body->setVisible(any && (!text.isEmpty() || isOpen_[type_ + "/" + section->heading]));
    }
}

bool AttributeEditor::enter(const std::string& attribute, const std::string& value) {
    for (const auto& section : sections_)
        for (const auto& row : section->rows)
            if (row->about().name == attribute) {
                if (onEdit) onEdit(attribute, value);
                return true;
            }
    return false;
}

}  // namespace purl
