package dev.toolfleet.cli.terminal;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/// Output of a command that is kept in memory, for a reader that is no terminal. Thread-safe.
public final class CapturedOutput {
    private final List<Line> lines = new ArrayList<>();

    private record Line(boolean isNote, String text) {}

    /// Returns the terminal to write to: not interactive, and without colours.
    ///
    /// @param width columns of a line
    public Terminal terminal(int width) {
        return new Terminal(new PrintWriter(new LineWriter(false)), new PrintWriter(new LineWriter(true)), false, false,
                width);
    }

    /// Returns the result lines.
    public List<String> results() {
        synchronized (lines) {
            return lines.stream().filter(line -> !line.isNote()).map(Line::text).toList();
        }
    }

    /// Returns the lines that are no results.
    public List<String> notes() {
        synchronized (lines) {
            return lines.stream().filter(Line::isNote).map(Line::text).toList();
        }
    }

    /// Returns all lines in their order.
    public List<String> all() {
        synchronized (lines) {
            return lines.stream().map(Line::text).toList();
        }
    }

    private final class LineWriter extends Writer {
        private final boolean isNote;
        private final StringBuilder begun = new StringBuilder();

        LineWriter(boolean isNote) {
            this.isNote = isNote;
        }

        @Override
        public void write(char[] text, int from, int length) {
            synchronized (lines) {
                for (int i = from; i < from + length; i++) {
                    if (text[i] == '\n') {
                        lines.add(new Line(isNote, begun.toString().stripTrailing()));
                        begun.setLength(0);
                    } else {
                        begun.append(text[i]);
                    }
                }
            }
        }

        @Override
        public void flush() {
            // A line is there once it has ended.
        }

        @Override
        public void close() {
            // Lines stay.
        }
    }
}
