package dev.toolfleet.gateway.calls;

import dev.toolfleet.wire.Callback;

/// Final result of a call on its way to the call's callback.
///
/// @param call the call's id
/// @param id the same for every attempt, and for every record of the same call
/// @param callback the address
/// @param body the `ToolResult` as it stands on its topic
@SuppressWarnings("ArrayRecordComponent") // never compared, and the bytes never change
public record Delivery(CallId call, String id, Callback callback, byte[] body) {
    /// End of one attempt.
    public sealed interface Outcome {
        /// The receiver has it.
        record Delivered() implements Outcome {}

        /// The receiver may have it, or not. Another attempt may succeed.
        ///
        /// @param reason a clause without the URL, which may hold a secret
        record Failed(String reason) implements Outcome {}

        /// No other attempt can succeed.
        ///
        /// @param reason a clause without the URL
        record Refused(String reason) implements Outcome {}
    }
}
