package dev.toolfleet.mcp.transport;

import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

/// Meaning of a failure of the HTTP client.
final class HttpFailure {
    private HttpFailure() {}

    /// Returns what a failed POST means for its request.
    static NoAnswer of(HttpPost post, @Nullable Throwable failure) {
        String reason = reason(failure);
        return post.hasLeft() ? new NoAnswer.Lost(reason) : new NoAnswer.NotSent(reason);
    }

    static String reason(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null)
            cause = cause.getCause();
        if (cause == null)
            return "no response";
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    static Receiver receiver(@Nullable Receiver receiver) {
        if (receiver == null)
            throw new IllegalStateException("open the transport first");
        return receiver;
    }
}
