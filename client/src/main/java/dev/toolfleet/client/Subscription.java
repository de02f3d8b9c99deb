package dev.toolfleet.client;

/// One listener's interest in an instance.
public interface Subscription extends AutoCloseable {
    /// No result comes after those that are on their way to the listener.
    @Override
    void close();
}
