package dev.toolfleet.worker.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/// The shell that takes on a call's variables and becomes its program, after all that the sandbox runs. Until then the
/// values stand under names that mean nothing to any program. Otherwise: the call sets `LD_PRELOAD`, the dynamic loader
/// puts the model's library into `prlimit`, and the library runs the command before a limit is set. Pure.
///
/// @param prefix of the names that the values have on their way; no caller can know it
/// @param variables name and value of each
record LastShell(String prefix, List<Map.Entry<String, String>> variables) {
    private static final int DIGITS = 8;
    /// Behind the walls the folder that was bound can no longer change: by its name alone, another might have been.
    private static final String SAME_FOLDER = "[ \"$(stat -c %D:%i -- \"$1\")\" = \"$2\" ] || { echo 'The working "
            + "directory was replaced while the command was started, so it was not run.' >&2; exit 126; }; shift 2; ";

    /// A shell for one command.
    ///
    /// @param mark unique, of hexadecimal digits at its beginning
    static LastShell of(Map<String, String> env, String mark) {
        return new LastShell("v" + mark.substring(0, DIGITS) + "_", List.copyOf(new TreeMap<>(env).entrySet()));
    }

    /// The environment of the programs before it.
    Map<String, String> carried() {
        Map<String, String> carried = new TreeMap<>();
        for (int i = 0; i < variables.size(); i++)
            carried.put(prefix + i, variables.get(i).getValue());
        return carried;
    }

    /// The command line that ends with the program. A shell keeps a few variables to itself (`UID` in bash, an `OPTIND`
    /// that is no number in dash); they stay as they are.
    ///
    /// @param identity of the workdir, checked first; null for none
    List<String> line(List<String> program, String workdir, @Nullable String identity) {
        StringBuilder script = new StringBuilder(identity == null ? "" : SAME_FOLDER);
        for (int i = 0; i < variables.size(); i++) {
            String carrier = prefix + i;
            script.append("command export ").append(variables.get(i).getKey()).append("=\"$").append(carrier)
                    .append("\" 2>/dev/null; unset ").append(carrier).append("; ");
        }
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", script.append("exec \"$@\"").toString(), "sh"));
        if (identity != null)
            line.addAll(List.of(workdir, identity));
        line.addAll(program);
        return line;
    }
}
