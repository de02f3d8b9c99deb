package dev.toolfleet.worker.recovery;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.record.JournalRecords;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Journal of who has each partition, by which an heir sees that the last owner died (decision 55).
///
/// **Contract.** The entry is sent before the assignment's first call, and that call waits for its commit. The entry is
/// deleted in the transaction of the last offsets, and only by an owner that gives the partition up in order. Otherwise: a
/// rolling restart counts as a row of deaths, or a worker that a call kills at once leaves no trace. An owner that had found
/// a death puts that entry back instead of deleting its own. Otherwise: the partition moves in order before the guilty call
/// was started and noted, and the call kills two workers more.
public final class OwnerJournal {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerJournal.class);

    private final IntentJournal.Notes notes;
    private final JournalRecords records;
    private final Ownership ownership;
    private final int maxInFlight;
    private final InstantSource clock;

    /// @param maxInFlight how many calls this worker takes in and has not finished
    public OwnerJournal(IntentJournal.Notes notes, JournalRecords records, Ownership ownership, int maxInFlight,
            InstantSource clock) {
        this.notes = notes;
        this.records = records;
        this.ownership = ownership;
        this.maxInFlight = maxInFlight;
        this.clock = clock;
    }

    /// An assignment begins. Goes with its first transaction. The entry of this owner takes the place of that of the dead
    /// one, and carries it. Otherwise: this owner loses the partition before it has noted the suspects, lives on, and the
    /// death is forgotten.
    ///
    /// @param dead the entry of the owner that was found dead at the take-over; null for none
    /// @return done when the entry is committed; with null when the assignment ended first, exceptionally when the broker
    ///         refuses the entry
    public CompletableFuture<?> begins(int partition, long epoch, @Nullable PartitionOwner dead) {
        CompletableFuture<?> written = notes.send(place(partition, epoch),
                records.owner(partition, new PartitionOwner(records.worker(),
                        ownership.current().group().memberId(), clock.instant(), maxInFlight, dead)));
        var _ = written.exceptionally(refusal -> {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.REASON, refusal.toString())
                    .log("the owner of a partition could not be journaled, its death would not be counted");
            return null;
        });
        return written;
    }

    /// The assignment ends in order. Comes before its last commit.
    ///
    /// @param dead the entry of the owner that was found dead at the take-over; null for none
    public void ends(int partition, long epoch, @Nullable PartitionOwner dead) {
        var _ = notes.send(place(partition, epoch), records.owner(partition, dead));
    }

    private static Position place(int partition, long epoch) {
        return new Position(partition, epoch, -1);
    }
}
