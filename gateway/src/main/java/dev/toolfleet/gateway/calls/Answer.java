package dev.toolfleet.gateway.calls;

/// Answer of the read model.
///
/// @param <T> the requested value
public sealed interface Answer<T> {
    /// The value.
    record Found<T>(T value) implements Answer<T> {}

    /// The read model has read far enough, and there is no such call; or the call has been forgotten.
    ///
    /// @param reason a clause
    record Unknown<T>(String reason) implements Answer<T> {}

    /// The read model cannot decide now. The same request may succeed a second later.
    ///
    /// @param reason a clause
    record Unavailable<T>(String reason) implements Answer<T> {}
}
