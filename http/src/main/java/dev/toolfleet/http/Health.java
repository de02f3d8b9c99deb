package dev.toolfleet.http;

import java.util.List;

/// Health of a process. Thread-safe, and quick: probes call it every few seconds.
public interface Health {
    /// Returns the reasons why the process is not ready, one clause each; empty when it is ready.
    List<String> notReady();

    /// True if the process works, or can recover without a restart.
    boolean isAlive();
}
