package dev.toolfleet.catalog.sweep;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.jspecify.annotations.Nullable;

/// Contents that the newest records of one partition name. A record that was deleted recently still counts: its
/// effects, such as an approved call, may be under way. For one thread.
final class References {
    private static final WireCodec<StepCatalog> STEPS = WireCodec.of(StepCatalog.class);
    private static final WireCodec<PendingCall> HANDLES = WireCodec.of(PendingCall.class);

    private final Function<byte[], Set<String>> naming;
    private final Instant deletedSince;
    private final Map<String, Set<String>> byKey = new HashMap<>();

    private References(Function<byte[], Set<String>> naming, Instant deletedSince) {
        this.naming = naming;
        this.deletedSince = deletedSince;
    }

    /// Makes the references of step catalogs.
    ///
    /// @param deletedSince earlier deletions count
    static References ofSteps(Instant deletedSince) {
        return new References(value -> named(STEPS.read(value)), deletedSince);
    }

    /// Makes the references of open handles.
    ///
    /// @param deletedSince earlier deletions count
    static References ofHandles(Instant deletedSince) {
        return new References(value -> named(HANDLES.read(value)), deletedSince);
    }

    private static Set<String> named(StepCatalog step) {
        Stream<String> recent = step.recent().stream().map(RecentStep::digest);
        return Set.copyOf(Stream.concat(Stream.of(step.digest()), recent).distinct().toList());
    }

    private static Set<String> named(PendingCall handle) {
        String digest = handle.catalogDigest();
        return digest == null ? Set.of() : Set.of(digest);
    }

    /// Applies the next record of the partition. A malformed record names nothing, for workers too.
    void apply(String key, byte @Nullable [] value, Instant written) {
        if (value != null)
            byKey.put(key, read(value));
        else if (written.isBefore(deletedSince))
            byKey.remove(key);
    }

    private Set<String> read(byte[] value) {
        try {
            return naming.apply(value);
        } catch (WireFormatException e) {
            return Set.of();
        }
    }

    /// Returns all named digests.
    List<String> all() {
        return byKey.values().stream().flatMap(Collection::stream).distinct().toList();
    }
}
