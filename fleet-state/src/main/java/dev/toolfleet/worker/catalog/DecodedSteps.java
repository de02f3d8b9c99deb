package dev.toolfleet.worker.catalog;

import java.util.LinkedHashSet;
import java.util.Set;

import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;

/// Bounded cache of decoded step catalogs. Thread-safe.
///
/// **Contract.** A catalog that was used since the cache last looked for room stays once more; of the others, the one
/// that was decoded first leaves.
///
/// **Threads.** A call that finds its catalog decoded takes no lock. One monitor of the worker guards the kept
/// catalogs, and no record is decoded under it. Otherwise: every call of the worker waits for that monitor, which an
/// exact order of use needs.
///
/// **Why.** A decoded catalog takes two to three times the bytes of its record, a worker holds one of every instance of
/// a day, and only those of instances at work are used.
final class DecodedSteps {
    private static final WireCodec<StepCatalog> CODEC = WireCodec.of(StepCatalog.class);

    /// Catalog as it was read. Two are the same only if they are one record.
    static final class Encoded {
        private final int partition;
        private final byte[] value;
        private volatile @Nullable StepCatalog decoded;
        private volatile boolean used;

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
    private final Set<Encoded> kept = new LinkedHashSet<>();
    private long bytes;

    /// @param maxBytes of the records whose decoded form is kept
    DecodedSteps(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// Returns the decoded record.
    ///
    /// @throws dev.toolfleet.wire.WireFormatException if it is no step catalog
    StepCatalog of(Encoded step) {
        StepCatalog known = step.decoded;
        if (known == null)
            return keep(step, CODEC.read(step.value));
        // Written once per look for room, not by every call: the calls of a step share the cache line.
        if (!step.used)
            step.used = true;
        return known;
    }

    /// Keeps a decoded record. If two threads have decoded one record, both get the catalog of the first.
    private synchronized StepCatalog keep(Encoded step, StepCatalog decoded) {
        StepCatalog known = step.decoded;
        if (known != null)
            return known;
        if (step.value.length > maxBytes)
            return decoded;
        makeRoom(step.value.length);
        step.decoded = decoded;
        kept.add(step);
        bytes += step.value.length;
        return decoded;
    }

    /// Makes room. It visits each kept catalog twice at most, because others may be used again and again meanwhile.
    private void makeRoom(int needed) {
        for (int looks = kept.size(); bytes + needed > maxBytes; looks--) {
            Encoded oldest = kept.iterator().next();
            kept.remove(oldest);
            if (oldest.used && looks > 0) {
                oldest.used = false;
                kept.add(oldest);
            } else {
                drop(oldest);
            }
        }
    }

    /// Drops a record that is no longer the newest of its key. A call that has just found it may bring it back, until
    /// there is no room for it.
    synchronized void forget(Encoded step) {
        if (kept.remove(step))
            drop(step);
    }

    private void drop(Encoded step) {
        step.decoded = null;
        bytes -= step.value.length;
    }

    /// Number of bytes of the records whose decoded form is kept.
    synchronized long bytes() {
        return bytes;
    }
}
