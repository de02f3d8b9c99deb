package dev.toolfleet.worker.tools.bash;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.StartedProgram;
import dev.toolfleet.worker.tools.args.Arguments;
import dev.toolfleet.worker.tools.args.FileErrors;

/// Runs commands in a sandbox and leaves none of their processes behind.
final class Shell {
    /// From SIGTERM to SIGKILL.
    private static final Duration GRACE = Duration.ofSeconds(2);
    /// The fleet counts a handler as abandoned 2 s after its interrupt; by then all must be over.
    private static final Duration GRACE_AFTER_INTERRUPT = Duration.ofMillis(1500);
    private static final Duration FIRST_LOOK = Duration.ofMillis(5);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final Sandbox sandbox;

    Shell(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    /// Runs a command to its end, or to its timeout.
    ///
    /// @throws InterruptedException when the call was cancelled; nothing of the command runs any more
    CommandEnd run(Command command) throws InterruptedException {
        long start = System.nanoTime();
        try (StartedProgram started = start(command)) {
            return run(command, started, start);
        }
    }

    private static CommandEnd run(Command command, StartedProgram started, long start) throws InterruptedException {
        Process process = started.process();
        CappedOutput stdout = new CappedOutput(process.getInputStream(), command.maxOutputBytes(), "stdout");
        CappedOutput stderr = new CappedOutput(process.getErrorStream(), command.maxOutputBytes(), "stderr");
        boolean ended;
        try {
            ended = endsWithin(command.timeout(), started);
        } catch (InterruptedException e) {
            started.end(GRACE_AFTER_INTERRUPT);
            stdout.finish(DRAIN);
            stderr.finish(DRAIN);
            throw e;
        }
        started.end(GRACE);
        stdout.finish(DRAIN);
        stderr.finish(DRAIN);
        int status = process.waitFor();
        Optional<String> refusal = started.refusal(status, stderr.text().text());
        if (refusal.isPresent())
            throw refused(refusal.get());
        return new CommandEnd(status, !ended, Duration.ofNanos(System.nanoTime() - start), stdout.text(),
                stderr.text());
    }

    /// Checks the family at growing intervals: a process that leaves it does so early.
    private static boolean endsWithin(Duration timeout, StartedProgram started) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        for (long wait = FIRST_LOOK.toNanos();; wait = Math.min(2 * wait, LOOK_EVERY.toNanos())) {
            long left = end - System.nanoTime();
            if (started.process().waitFor(Math.min(wait, left), TimeUnit.NANOSECONDS))
                return true;
            if (left <= wait)
                return false;
            started.look();
        }
    }

    private StartedProgram start(Command command) {
        try {
            return sandbox.start(command.program());
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
        if (!Files.isDirectory(command.program().cwd()))
            return FileErrors.of("ENOENT", command.program().cwd().toString());
        return refused(reason);
    }

    private static ToolException refused(String reason) {
        return new ToolException("EAGAIN", "The command could not be started: " + reason)
                .suggestion("Try again in a moment; if it fails again, tell the user.");
    }
}
