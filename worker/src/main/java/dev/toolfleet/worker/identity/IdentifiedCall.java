package dev.toolfleet.worker.identity;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import org.jspecify.annotations.Nullable;

/// A call with its identity.
///
/// @param arrival the call as it was read
/// @param identity the call's identity
/// @param fingerprint of name and arguments as the caller sent them
/// @param identityDigest by which it is remembered; computed once, on the call's own thread
/// @param fingerprintDigest the same of its fingerprint
/// @param loopKey under which its results are counted; null for a call without a turn
public record IdentifiedCall(Arrival.Call arrival, CallIdentity identity, String fingerprint, Digest128 identityDigest,
        Digest128 fingerprintDigest, @Nullable LoopKey loopKey) {
    /// Creates a call with this identity.
    public IdentifiedCall(Arrival.Call arrival, CallIdentity identity, String fingerprint) {
        this(arrival, identity, fingerprint, Digest128.ofFingerprint(fingerprint));
    }

    private IdentifiedCall(Arrival.Call arrival, CallIdentity identity, String fingerprint,
            Digest128 fingerprintDigest) {
        this(arrival, identity, fingerprint, Digest128.of(identity.text()), fingerprintDigest,
                LoopKey.of(arrival.call(), fingerprintDigest));
    }

    /// Identifies a call that began earlier.
    ///
    /// @param fingerprint as it was then; null if it is not known
    public static IdentifiedCall of(Arrival.Call arrival, @Nullable String fingerprint) {
        return new IdentifiedCall(arrival,
                CallIdentity.of(arrival.call(), arrival.position().partition(), arrival.position().offset()),
                fingerprint == null
                        ? Fingerprint.of(arrival.call().name(), arrival.call().args())
                        : fingerprint);
    }

    /// Returns the digest of name and arguments as they are now. An approval may have others than the caller sent.
    Digest128 presentDigest() {
        return Digest128.ofFingerprint(Fingerprint.of(arrival.call().name(), arrival.call().args()));
    }

    /// Identifies a call.
    public static IdentifiedCall of(Arrival.Call arrival) {
        return of(arrival, null);
    }
}
