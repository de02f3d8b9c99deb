package dev.toolfleet.http;

import java.util.List;

/// What a process knows of its own health. Thread-safe, and quick: probes ask every few seconds.
public interface Health {
    /// Why it is not ready, one clause each; empty when it is.
    List<String> notReady();

    /// Whether it works or can come to work again, without a restart.
    boolean isAlive();
}
