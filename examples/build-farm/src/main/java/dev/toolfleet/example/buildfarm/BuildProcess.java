package dev.toolfleet.example.buildfarm;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Identity of a build process, with which another worker on the same machine finds it. Process ids are used again; id,
/// machine and start time together are not.
///
/// @param pid its id
/// @param startedAt its start time in the system
/// @param host the machine's name
record BuildProcess(long pid, Instant startedAt, String host) {
    /// The token's variable. Every user of the machine could read it on the command line.
    static final String TOKEN = "BUILD_TOKEN";
    /// Variables of the worker's environment that a build gets; it gets no others, since they may hold secrets.
    private static final Set<String> PASSED_ON = Set.of("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR");

    /// Starts a process without a pipe to this one, so that it can outlive it.
    static BuildProcess start(Runner.Command command, String token, Path folder) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command.words()).directory(folder.toFile())
                .redirectInput(new File("/dev/null")).redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(folder.resolve("build.log").toFile()));
        builder.environment().keySet().retainAll(PASSED_ON);
        builder.environment().putAll(command.environment());
        builder.environment().put("JAVA_HOME", Jdk.HOME);
        builder.environment().put(TOKEN, token);
        ProcessHandle process = builder.start().toHandle();
        return new BuildProcess(process.pid(), process.info().startInstant().orElse(Instant.EPOCH), thisHost());
    }

    /// Ends the process and its children, if it still runs.
    ///
    /// @throws IllegalStateException when it runs on another machine
    void stop() {
        if (!host.equals(thisHost()))
            throw new IllegalStateException("process " + pid + " is one of " + host + ", and this is " + thisHost());
        running().ifPresent(process -> {
            List<ProcessHandle> steps;
            try (Stream<ProcessHandle> all = process.descendants()) {
                steps = all.toList();
            }
            // Killed at once: it must not report that the step it waits for has failed.
            process.destroyForcibly();
            steps.forEach(ProcessHandle::destroyForcibly);
        });
    }

    /// The process, unless it has ended.
    Optional<ProcessHandle> running() {
        return ProcessHandle.of(pid).filter(
                process -> process.info().startInstant().filter(startedAt::equals).isPresent() && process.isAlive());
    }

    private static String thisHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
