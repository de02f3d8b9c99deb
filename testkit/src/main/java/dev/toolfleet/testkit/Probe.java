package dev.toolfleet.testkit;

import java.util.List;

/// Comparison of the JVM's present state with that at the probe's start.
interface Probe extends AutoCloseable {
    /// Returns the new leaks, each as a phrase; empty for none.
    List<String> leaks();

    @Override
    default void close() {}
}
