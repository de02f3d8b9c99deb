package dev.toolfleet.worker.tools.bash;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.toolfleet.worker.sandbox.ConfinedProgram;
import dev.toolfleet.worker.tools.args.Arguments;

/// Environment of a command: a short list of the worker's own variables, because the others hold its secrets, and the
/// variables that the call sets. Pure.
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
            boolean passed = allowed.contains(name) || name.startsWith("LC_") || inherit.contains(name);
            if (passed && ConfinedProgram.isVariable(name))
                env.put(name, value);
        });
        set.forEach((name, value) -> {
            if (!ConfinedProgram.isVariable(name) || value.indexOf('\0') >= 0)
                throw Arguments.invalid("env." + name + " is not a variable: its name must be letters, digits and '_', "
                        + "must not begin with a digit, and its value must not hold a NUL");
            env.put(name, value);
        });
        return env;
    }
}
