package dev.toolfleet.client;

/// One listener's interest in an instance.
public interface Subscription extends AutoCloseable {
    /// Ends the subscription. Results that are on their way to the listener still come.
    @Override
    void close();
}
