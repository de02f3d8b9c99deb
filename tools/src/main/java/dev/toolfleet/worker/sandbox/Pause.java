package dev.toolfleet.worker.sandbox;

import java.time.Duration;

/// Wait that goes on although the thread was interrupted: the end of a call's processes must complete.
public final class Pause {
    private Pause() {}

    /// Waits that long and leaves the interrupt flag as it was or as it became.
    public static void of(Duration time) {
        boolean interrupted = Thread.interrupted();
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted)
            Thread.currentThread().interrupt();
    }
}
