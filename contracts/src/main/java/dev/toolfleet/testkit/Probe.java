package dev.toolfleet.testkit;

import java.util.List;

/// Compares what the JVM holds now with what it held when the probe was made.
interface Probe extends AutoCloseable {
    /// What is there and was not before, each as a phrase; empty when all is well.
    List<String> leaks();

    @Override
    default void close() {}
}
