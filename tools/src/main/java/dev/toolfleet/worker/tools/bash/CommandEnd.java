package dev.toolfleet.worker.tools.bash;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// End of a command: its status, its time and its output.
///
/// @param status the system's report: the exit code, or 128 and the signal's number
record CommandEnd(int status, boolean timedOut, Duration took, CappedOutput.Text stdout,
        CappedOutput.Text stderr) {

    /// Adds the fields that both exports share to a result.
    ObjectNode addTo(ObjectNode result) {
        String signal = signal(status, timedOut);
        result.put("durationMs", took.toMillis()).put("stdout", stdout.text()).put("stderr", stderr.text())
                .put("exitCode", signal == null ? status : -1).put("signal", signal).put("timedOut", timedOut)
                .put("truncated", stdout.truncated() || stderr.truncated());
        if (stdout.truncated() || stderr.truncated())
            result.put("stdoutTruncated", stdout.truncated()).put("stderrTruncated", stderr.truncated());
        return result;
    }

    /// The signal that an exit status means. A shell reports the signal of its last command in the same way, so both
    /// count as killed. Programs use the other statuses above 128 for themselves; those of signals that people send
    /// from a keyboard count only when the command was ended here.
    static @Nullable String signal(int status, boolean endedHere) {
        return switch (status - 128) {
            case 1 -> endedHere ? "SIGHUP" : null;
            case 2 -> endedHere ? "SIGINT" : null;
            case 3 -> endedHere ? "SIGQUIT" : null;
            case 4 -> "SIGILL";
            case 6 -> "SIGABRT";
            case 7 -> "SIGBUS";
            case 8 -> "SIGFPE";
            case 9 -> "SIGKILL";
            case 11 -> "SIGSEGV";
            case 13 -> "SIGPIPE";
            case 15 -> "SIGTERM";
            default -> null;
        };
    }
}
