package dev.toolfleet.worker.tools.bash;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.toolfleet.worker.tools.args.Arguments;

/// Which variables a command sees: a short list of the worker's own, because the others hold its secrets, and what the
/// call sets. Pure.
final class CommandEnv {
    private static final Set<String> ALLOWED = Set.of("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR",
            "USER", "LOGNAME", "SHELL", "JAVA_HOME");
    private static final Set<String> ALLOWED_BEHIND_WALLS = Set.of("LANG", "LANGUAGE", "TZ", "TERM");

    private CommandEnv() {}

    /// The variables of a command.
    ///
    /// @param walls whether the command runs where the worker's folders and user are not; then only language, time zone
    ///        and terminal are the worker's
    static Map<String, String> of(Map<String, String> worker, boolean walls, Set<String> inherit,
            Map<String, String> set) {
        Set<String> allowed = walls ? ALLOWED_BEHIND_WALLS : ALLOWED;
        Map<String, String> env = new TreeMap<>();
        worker.forEach((name, value) -> {
            if (allowed.contains(name) || name.startsWith("LC_") || inherit.contains(name))
                env.put(name, value);
        });
        set.forEach((name, value) -> {
            if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0 || value.indexOf('\0') >= 0)
                throw Arguments.invalid("env." + name + " is not a variable: its name may not be empty or hold '=', "
                        + "and neither its name nor its value a NUL");
            env.put(name, value);
        });
        return env;
    }
}
