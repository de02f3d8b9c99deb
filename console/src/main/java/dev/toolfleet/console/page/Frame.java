package dev.toolfleet.console.page;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.console.web.VisibleText;
import dev.toolfleet.console.web.Visit;

/// Parts that each page has around its contents.
///
/// @param section the present one; empty for a page of none
/// @param title of the page
/// @param command the `toolfleet` command that does or shows the same; empty for none
record Frame(Visit visit, Optional<Section> section, String title, String command) {
    /// Makes the title safe to read: it may hold the id that a model gave a call.
    Frame {
        title = VisibleText.of(title);
    }

    static Frame of(Visit visit, Section section, String title, String command) {
        return new Frame(visit, Optional.of(section), title, command);
    }

    List<Section> sections() {
        return Section.of(visit);
    }

    boolean isIn(Section other) {
        return section.filter(other::equals).isPresent();
    }

    String csrf() {
        return visit.csrf();
    }

    /// The name of the person, as the page shows it.
    String person() {
        return visit.open() ? "this machine, without principals" : visit.author();
    }
}
