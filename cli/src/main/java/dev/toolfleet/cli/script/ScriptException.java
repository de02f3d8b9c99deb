package dev.toolfleet.cli.script;

import java.util.List;

/// A script cannot be read. Every problem names its line.
public final class ScriptException extends Exception {
    private final List<String> problems;

    ScriptException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /// One sentence for each line that is wrong.
    public List<String> problems() {
        return problems;
    }
}
