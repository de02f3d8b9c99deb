package dev.toolfleet.cli.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.cli.terminal.Terminal;

/// A run of processes in a temporary folder: data and logs go away with it when all was as it should be, and stay, and
/// are named, when they may say why it was not. A signal ends it in good order.
public final class LoggedRun {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

    private LoggedRun() {}

    /// Work of a run.
    @FunctionalInterface
    public interface Work {
        /// Runs in an empty folder.
        ///
        /// @return the exit code
        int in(Path folder) throws IOException, InterruptedException;
    }

    /// Runs.
    ///
    /// @param undone the message's beginning when the run fails, such as `the run could not be done`
    /// @return the exit code
    /// @throws Failure when the run could not be done
    public static int run(Terminal terminal, String undone, Work work) {
        TempFolder folder = TempFolder.create();
        // A signal's patience ends with the resource, so that what follows an interrupt belongs inside.
        try (StopSignal _ = StopSignal.install(STOP_PATIENCE)) {
            return run(terminal, undone, work, folder);
        }
    }

    private static int run(Terminal terminal, String undone, Work work, TempFolder folder) {
        try {
            int code = work.in(folder.path());
            if (code == Failure.SUCCESS) {
                folder.close();
            } else {
                terminal.note("toolfleet: not all was as it should be; data and logs of the run are in "
                        + folder.path());
            }
            return code;
        } catch (InterruptedException e) {
            folder.close();
            throw Failure.failed("interrupted; everything that was started has ended", e);
        } catch (IOException | RuntimeException e) {
            throw Failure.failed(undone + ": " + e.getMessage() + "; data and logs of the run are in "
                    + folder.path(), e);
        }
    }
}
