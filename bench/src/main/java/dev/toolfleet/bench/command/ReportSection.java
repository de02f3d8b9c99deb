package dev.toolfleet.bench.command;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bench.compare.ComparisonFindings;

/// Findings of a comparison as a section of a Markdown file: between two comments, by which the same command finds its
/// own section again.
///
/// @param command that found it
/// @param machine that it ran on
/// @param day on which it ran
record ReportSection(String command, String machine, LocalDate day, ComparisonFindings findings) {
    private static final String END = "<!-- end of bench -->";

    private String begin() {
        return "<!-- bench: " + command + " -->";
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(begin());
        lines.add("`" + command + "`, " + day + ", " + machine);
        lines.add("");
        lines.addAll(findings.summary().markdown());
        lines.add("");
        findings.notes().forEach(note -> lines.add("- " + note));
        lines.add(END);
        return lines;
    }

    /// The file with this section in the place of the one of the same command; at its end when it has none.
    List<String> in(List<String> file) {
        List<String> lines = new ArrayList<>(file);
        int begin = lines.indexOf(begin());
        if (begin < 0) {
            if (!lines.isEmpty() && !lines.getLast().isBlank())
                lines.add("");
            lines.addAll(lines());
            return lines;
        }
        int length = lines.subList(begin, lines.size()).indexOf(END) + 1;
        if (length == 0)
            throw new IllegalStateException("the section '" + begin() + "' has no end; there must be a line " + END);
        List<String> section = lines.subList(begin, begin + length);
        section.clear();
        section.addAll(lines());
        return lines;
    }
}
