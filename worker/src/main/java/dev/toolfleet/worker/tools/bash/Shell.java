package dev.toolfleet.worker.tools.bash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.Arguments;
import dev.toolfleet.worker.tools.args.FileErrors;

/// Runs commands, each in a session of its own where the system has `setsid`, and leaves none of their processes
/// behind.
final class Shell {
    /// From SIGTERM to SIGKILL.
    private static final Duration GRACE = Duration.ofSeconds(2);
    /// The fleet counts a handler as abandoned 2 s after its interrupt; by then all must be over.
    private static final Duration GRACE_AFTER_INTERRUPT = Duration.ofMillis(1500);
    private static final Duration FIRST_LOOK = Duration.ofMillis(5);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration DRAIN = Duration.ofSeconds(1);
    private static final List<Path> SETSID = List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

    private final Supplier<String> marks;
    private final List<String> prefix;

    /// @param marks a new unique text each time
    Shell(Supplier<String> marks) {
        this.marks = marks;
        this.prefix = SETSID.stream().filter(Files::isExecutable).findFirst().map(Path::toString).map(List::of)
                .orElse(List.of());
    }

    /// Runs a command to its end, or to its timeout.
    ///
    /// @throws InterruptedException when the call was cancelled; nothing of the command runs any more
    CommandEnd run(Command command) throws InterruptedException {
        long start = System.nanoTime();
        String mark = marks.get();
        Process process = start(command, mark);
        ProcessFamily family = new ProcessFamily(process, !prefix.isEmpty(), FamilyTree.of(process, mark));
        CappedOutput stdout = new CappedOutput(process.getInputStream(), command.maxOutputBytes(), "stdout");
        CappedOutput stderr = new CappedOutput(process.getErrorStream(), command.maxOutputBytes(), "stderr");
        boolean ended;
        try {
            ended = endsWithin(command.timeout(), process, family);
        } catch (InterruptedException e) {
            family.end(GRACE_AFTER_INTERRUPT);
            stdout.finish(DRAIN);
            stderr.finish(DRAIN);
            throw e;
        }
        family.end(GRACE);
        stdout.finish(DRAIN);
        stderr.finish(DRAIN);
        return new CommandEnd(process.waitFor(), !ended, Duration.ofNanos(System.nanoTime() - start),
                stdout.text(), stderr.text());
    }

    /// Looks at the family more and more seldom: who leaves it does so early.
    private static boolean endsWithin(Duration timeout, Process process, ProcessFamily family)
            throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        for (long wait = FIRST_LOOK.toNanos();; wait = Math.min(2 * wait, LOOK_EVERY.toNanos())) {
            long left = end - System.nanoTime();
            if (process.waitFor(Math.min(wait, left), TimeUnit.NANOSECONDS))
                return true;
            if (left <= wait)
                return false;
            family.look();
        }
    }

    private Process start(Command command, String mark) {
        List<String> line = new ArrayList<>(prefix);
        line.addAll(command.line());
        ProcessBuilder builder = new ProcessBuilder(line).directory(command.cwd().toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(command.env());
        environment.put(FamilyTree.MARK, mark);
        try {
            return builder.start();
        } catch (IOException e) {
            throw refused(e, command);
        }
    }

    private static ToolException refused(IOException e, Command command) {
        String reason = String.valueOf(e.getMessage());
        if (reason.contains("null character"))
            return Arguments.invalid("The command holds a NUL character, which no command can have.");
        if (reason.contains("Argument list too long"))
            return new ToolException("E2BIG", "The command is too long for the operating system.", e)
                    .suggestion("Write it into a file and run that as a script.");
        if (!Files.isDirectory(command.cwd()))
            return FileErrors.of("ENOENT", command.cwd().toString());
        return new ToolException("EAGAIN", "The command could not be started: " + reason, e)
                .suggestion("Try again in a moment; if it fails again, tell the user.");
    }
}
