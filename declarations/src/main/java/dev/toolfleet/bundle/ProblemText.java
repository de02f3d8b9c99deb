package dev.toolfleet.bundle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Problems for people (`file:line:col: severity CODE message (path)`, the hint below it) and for programs.
public final class ProblemText {
    private ProblemText() {}

    /// One problem, in one or two lines without a line break at the end.
    public static String of(BundleProblem problem) {
        StringBuilder text = new StringBuilder();
        if (!problem.file().isEmpty()) {
            text.append(problem.file());
            if (problem.line() > 0) {
                text.append(':').append(problem.line()).append(':').append(problem.column());
            }
            text.append(": ");
        }
        text.append(word(problem.severity())).append(' ').append(problem.code()).append(' ').append(problem.message());
        if (!problem.path().isEmpty()) {
            text.append(" (").append(problem.path()).append(')');
        }
        if (!problem.hint().isEmpty()) {
            text.append("\n  ").append(problem.hint());
        }
        return text.toString();
    }

    /// Returns the number of problems of each severity, such as `2 errors, 1 hint`; `no problems` when there are none.
    public static String summary(List<BundleProblem> problems) {
        List<String> parts = new ArrayList<>();
        for (Severity severity : Severity.values()) {
            long count = count(problems, severity);
            if (count > 0) {
                parts.add(count + " " + word(severity) + (count == 1 ? "" : "s"));
            }
        }
        return parts.isEmpty() ? "no problems" : String.join(", ", parts);
    }

    /// Returns one problem as `{severity, code, message, file, line, column, path, hint}`, without unknown fields.
    public static ObjectNode json(BundleProblem problem) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("severity", word(problem.severity())).put("code", problem.code().name()).put("message",
                problem.message());
        putText(json, "file", problem.file());
        if (problem.line() > 0) {
            json.put("line", problem.line()).put("column", problem.column());
        }
        putText(json, "path", problem.path());
        putText(json, "hint", problem.hint());
        return json;
    }

    /// All of them as `{valid, counts: {error, warning, hint, notice}, problems: [...]}`.
    public static ObjectNode json(List<BundleProblem> problems) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("valid", count(problems, Severity.ERROR) == 0);
        ObjectNode counts = json.putObject("counts");
        for (Severity severity : Severity.values()) {
            counts.put(word(severity), count(problems, severity));
        }
        problems.forEach(problem -> json.withArray("problems").add(json(problem)));
        json.withArray("problems");
        return json;
    }

    private static void putText(ObjectNode json, String key, String text) {
        if (!text.isEmpty()) {
            json.put(key, text);
        }
    }

    private static long count(List<BundleProblem> problems, Severity severity) {
        return problems.stream().filter(problem -> problem.severity() == severity).count();
    }

    private static String word(Severity severity) {
        return severity.name().toLowerCase(Locale.ROOT);
    }
}
