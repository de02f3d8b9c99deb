package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Trace of a run, line by line, if requested.
final class Trace {
    private final boolean on;
    private final List<String> lines = new ArrayList<>();

    Trace(boolean on) {
        this.on = on;
    }

    void add(long now, String who, Supplier<String> what) {
        if (on)
            lines.add(now + " " + who + " " + what.get());
    }

    List<String> lines() {
        return lines;
    }
}
