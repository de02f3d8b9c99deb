package dev.toolfleet.worker.agents;

/// Wait for the labels that instances have from others.
@FunctionalInterface
public interface LabelWait {
    /// Waits until every label is known that was written before this call.
    ///
    /// @return false if they cannot be read now
    boolean await() throws InterruptedException;
}
