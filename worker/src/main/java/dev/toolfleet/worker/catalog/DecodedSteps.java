package dev.toolfleet.worker.catalog;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;

/// Bounded cache of decoded step catalogs. The one that was used longest ago leaves first. Thread-safe.
///
/// **Why.** A decoded catalog takes two to three times the bytes of its record, a worker holds one of every instance of
/// a day, and only those of instances at work are asked for.
///
/// **Threads.** One monitor for the whole worker, held for one look into a hash table and never while a record is decoded.
/// Otherwise: with more instances at work than fit, every call decodes, and all calls wait for one another.
final class DecodedSteps {
    private static final WireCodec<StepCatalog> CODEC = WireCodec.of(StepCatalog.class);

    /// A catalog as it was read. Two are the same only if they are one record.
    static final class Encoded {
        private final int partition;
        private final byte[] value;

        /// @param value must not change
        Encoded(int partition, byte[] value) {
            this.partition = partition;
            this.value = value;
        }

        int partition() {
            return partition;
        }
    }

    private final long maxBytes;
    private final Map<Encoded, StepCatalog> byUse = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /// @param maxBytes of the records whose decoded form is kept
    DecodedSteps(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// The decoded record.
    ///
    /// @throws dev.toolfleet.wire.WireFormatException when it is no step catalog
    StepCatalog of(Encoded step) {
        StepCatalog known = known(step);
        return known != null ? known : keep(step, CODEC.read(step.value));
    }

    private synchronized @Nullable StepCatalog known(Encoded step) {
        return byUse.get(step);
    }

    /// Of two threads that have decoded one record, both get the catalog of the first.
    private synchronized StepCatalog keep(Encoded step, StepCatalog decoded) {
        StepCatalog known = byUse.putIfAbsent(step, decoded);
        if (known != null)
            return known;
        bytes += step.value.length;
        Iterator<Encoded> oldest = byUse.keySet().iterator();
        while (bytes > maxBytes && oldest.hasNext()) {
            bytes -= oldest.next().value.length;
            oldest.remove();
        }
        return decoded;
    }

    /// The record is no longer the newest of its key. A call that has just found it may bring it back, until it is the
    /// one that was used longest ago.
    synchronized void forget(Encoded step) {
        if (byUse.remove(step) != null)
            bytes -= step.value.length;
    }

    /// The bytes of the records whose decoded form is kept.
    synchronized long bytes() {
        return bytes;
    }
}
