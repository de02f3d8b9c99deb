package dev.toolfleet.worker.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.worker.sandbox.SandboxConfig.Limits;

/// Writes the limits of `setrlimit` as the beginning of a command line: `prlimit` sets them, soft and hard, and becomes
/// the program. Pure.
///
/// @param prlimit where that program is
record Rlimits(Path prlimit, Limits limits) {
    private static final int OPEN_FILES = 4096;

    /// The beginning of a line.
    ///
    /// @param memory whether to bound the address space of each process: where control groups bound the memory of all,
    ///        programs may reserve as much as they like
    /// @param time whether to bound the processor time of each process
    /// @param processes how many there may be; only where they are counted by user *namespace*, since the user's others
    ///        would count too
    List<String> before(boolean memory, boolean time, Optional<Integer> processes) {
        List<String> line = new ArrayList<>(List.of(prlimit.toString(), "--core=0:0",
                "--nofile=" + OPEN_FILES + ":" + OPEN_FILES, "--fsize=" + both(limits.fileSize())));
        if (time)
            line.add("--cpu=" + both(limits.cpuTime().toSeconds()));
        if (memory)
            line.add("--as=" + both(limits.memory()));
        processes.ifPresent(count -> line.add("--nproc=" + both(count)));
        line.add("--");
        return line;
    }

    private static String both(long limit) {
        return limit + ":" + limit;
    }
}
