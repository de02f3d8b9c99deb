package dev.toolfleet.gateway.readmodel;

import java.time.Duration;

/// Time that is left of a wait.
final class Countdown {
    private final long end;

    Countdown(Duration total) {
        this.end = System.nanoTime() + total.toNanos();
    }

    Duration left() {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    boolean isOver() {
        return end - System.nanoTime() <= 0;
    }
}
