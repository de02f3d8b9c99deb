package dev.toolfleet.cli.tail;

/// Visibility of a tool's arguments and results.
enum Exposure {
    /// They may.
    SHOWN(""),
    /// The tool accesses sensitive data.
    SENSITIVE("[hidden: its tool accesses sensitive data]"),
    /// No bundle declares the tool now, so it is unknown whether it does.
    UNDECLARED("[hidden: no applied bundle declares its tool]");

    private final String text;

    Exposure(String text) {
        this.text = text;
    }

    /// Text in the place of a hidden value.
    String text() {
        return text;
    }

    boolean hides() {
        return this != SHOWN;
    }

    /// Asked for each record.
    @FunctionalInterface
    interface Of {
        /// Returns the exposure of the tool of that full name.
        Exposure tool(String name);
    }
}
