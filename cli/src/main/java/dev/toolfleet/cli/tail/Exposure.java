package dev.toolfleet.cli.tail;

/// Whether people may see what a tool is passed and returns.
enum Exposure {
    /// They may.
    SHOWN(""),
    /// The tool accesses sensitive data.
    SENSITIVE("[hidden: its tool accesses sensitive data]"),
    /// Nobody declares the tool now, so that nobody says whether it does.
    UNDECLARED("[hidden: no applied bundle declares its tool]");

    private final String text;

    Exposure(String text) {
        this.text = text;
    }

    /// What stands in the place of what is hidden.
    String text() {
        return text;
    }

    boolean hides() {
        return this != SHOWN;
    }

    /// Asked for each record.
    @FunctionalInterface
    interface Of {
        /// Of the tool of that full name.
        Exposure tool(String name);
    }
}
