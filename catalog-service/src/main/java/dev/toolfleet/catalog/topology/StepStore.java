package dev.toolfleet.catalog.topology;

import java.time.Instant;

import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.jspecify.annotations.Nullable;

/// Bytes of the store of newest steps; the same as on `tool.catalog.step`.
final class StepStore {
    static final String NAME = "steps";
    private static final WireCodec<StepCatalog> CODEC = WireCodec.of(StepCatalog.class);

    private StepStore() {}

    static byte[] write(StepCatalog catalog) {
        return CODEC.write(catalog);
    }

    /// Reads the step; null when there is none, or when another version left bytes that this one cannot read.
    static @Nullable StepCatalog read(byte @Nullable [] bytes) {
        if (bytes == null)
            return null;
        try {
            return CODEC.read(bytes);
        } catch (WireFormatException e) {
            return null;
        }
    }

    static Instant lastTouched(byte[] bytes) {
        StepCatalog step = read(bytes);
        return step == null ? Instant.EPOCH : step.publishedAt();
    }
}
