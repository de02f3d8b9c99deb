package dev.toolfleet.bundle;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Kinds of hosts: processes that run handlers in other languages than Java.
public enum HostKind {
    /// Node, for JavaScript and TypeScript.
    NODE,
    /// Python.
    PYTHON,
    /// The entry is an executable that speaks the host protocol itself.
    PROCESS;

    private static final Pattern JAVASCRIPT = Pattern.compile(".*\\.[cm]?[jt]sx?");

    /// Returns the host of a script, by `spec.runtime` of its Tool if that is `process`, else by the ending of its
    /// path.
    public static HostKind of(Optional<String> runtime, String path) {
        if (runtime.filter("process"::equals).isPresent())
            return PROCESS;
        String lower = path.toLowerCase(Locale.ROOT);
        if (JAVASCRIPT.matcher(lower).matches())
            return NODE;
        return lower.endsWith(".py") ? PYTHON : PROCESS;
    }

    /// Returns its name in logs, metrics and messages.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
