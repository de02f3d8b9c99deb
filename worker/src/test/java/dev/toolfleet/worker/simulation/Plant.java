package dev.toolfleet.worker.simulation;

import java.time.InstantSource;
import java.util.function.Consumer;

import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.identity.Cancellations;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.override.CancelGate;
import dev.toolfleet.worker.poll.ResumedListener;
import dev.toolfleet.worker.recovery.IdentityStage;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Bugs to plant around the engine, so that what comes out of it is what it would do if it had them. Each is caught by
/// the seed that stands here.
enum Plant {
    NONE("none", ""),
    /// Calls below the committed offset that have not ended are never run again.
    HIGHEST_OFFSET("committing the highest finished offset", "G1 missing"),
    /// Calls beyond the committed offset that have ended are run again.
    NO_BITMAP("dropping the bitmap", "G1 duplicate"),
    /// The broker accepts records of a live member, whoever is the owner of the partition.
    NOT_OWNED("publishing an outcome whose epoch is no longer owned", "G1 duplicate"),
    /// Nothing fences a worker that has lost the partition and does not know it.
    BARE_INTENT("an intent-only transaction without offsets", "G3 left open"),
    /// The callback runs in a new generation already.
    STALE_MEMBER("committing in a revoke callback with the metadata of the last poll", "revoke"),
    /// It may have taken place.
    ABORT_AND_REPEAT("aborting and repeating after a commit that timed out", "G1 duplicate"),
    /// Records that are seen before they are committed may come twice.
    NOT_TRANSACTIONAL("publishing outside the transaction", "G1 duplicate"),
    /// A worker that dies in between takes it along.
    EARLY_OFFSET("committing an outcome's offset before its result", "G1 missing"),
    /// It may have been published, or be meant for a handle that was never given.
    UNASKED_JOURNAL("publishing an outcome without asking the call's journal entry", "G1 duplicate"),
    /// The next owner knows of no call that waits.
    FORGOTTEN_HANDLES("reading no open handles at take-over", "G1 missing"),
    /// The call was done when its pending result was published; its outcome came then.
    BELOW_CALLS("passing outcomes over whose calls are below the committed offset", "G1 missing"),
    /// A group's offsets of a topic that it does not subscribe to expire.
    LATEST_OUTCOME("starting at the end of the outcomes where none is committed", "G1 missing"),
    /// It may have been used.
    UNASKED_GRANT("running an approved call without asking the call's journal entry", "G3 twice"),
    /// No heir learns that the owner has died.
    NO_OWNER("owning a partition without an entry on the journal", "poison"),
    /// Cancellations are state: what comes too late for a call that waits is there when it starts.
    UNHEARD("starting a call without asking if it was cancelled", "cancel started"),
    /// A call that an earlier owner began may have happened.
    CANCELLED_FIRST("asking the cancellations before the call's journal entry", "cancel begun"),
    /// The topology knows handles and no calls.
    UNTOLD_HANDLES("cancelling no handle of a call that waits", "G1 missing"),
    /// The model has read the result all the same.
    FORGOTTEN_LABELS("reading no labels at take-over", "labels"),
    /// The amount of the call before counts all the same.
    FORGOTTEN_BUDGETS("reading no budgets at take-over", "budget"),
    /// A call that must not run twice has begun, although it has no result.
    FORGOTTEN_INTENTS("reading no spending of calls that an earlier owner began", "budget"),
    /// Its instances had their calls, answers and intents in another one.
    ADDED_PARTITION("taking over a partition that was added", "growth");

    final String bug;
    /// The beginning of the violation that it causes.
    final String violation;

    Plant(String bug, String violation) {
        this.bug = bug;
        this.violation = violation;
    }

    SimProducer producer(SimCluster cluster, Fibers.Program program, String id, SimMember member) {
        return switch (this) {
            case NONE, NOT_OWNED, EARLY_OFFSET, UNASKED_JOURNAL, FORGOTTEN_HANDLES, BELOW_CALLS, LATEST_OUTCOME,
                    UNASKED_GRANT, UNHEARD, CANCELLED_FIRST, UNTOLD_HANDLES, FORGOTTEN_LABELS,
                    FORGOTTEN_BUDGETS, FORGOTTEN_INTENTS, ADDED_PARTITION ->
                new SimProducer(cluster, program, id);
            case HIGHEST_OFFSET -> new TamperedProducers.HighestOffset(cluster, program, id);
            case NO_BITMAP -> new TamperedProducers.NoBitmap(cluster, program, id);
            case BARE_INTENT -> new TamperedProducers.BareIntent(cluster, program, id);
            case STALE_MEMBER -> new TamperedProducers.StaleMember(cluster, program, id, member);
            case ABORT_AND_REPEAT -> new TamperedProducers.AbortAndRepeat(cluster, program, id);
            case NO_OWNER -> new TamperedProducers.NoOwner(cluster, program, id);
            case NOT_TRANSACTIONAL -> new TamperedProducers.NotTransactional(cluster, program, id);
        };
    }

    /// Returns the receiver of a worker's outcomes.
    ResumedListener ends(World world, ResumedListener ends, PartitionStates states,
            TransactionLoop transactions) {
        return switch (this) {
            case EARLY_OFFSET -> new TamperedEnds.EarlyOffset(ends);
            case UNASKED_JOURNAL -> new TamperedEnds.Unasked(ends, states);
            case UNASKED_GRANT -> new TamperedEnds.UnaskedGrants(ends, states);
            case BELOW_CALLS -> new TamperedEnds.BelowCalls(ends, world.cluster.group, transactions);
            case NONE, HIGHEST_OFFSET, NO_BITMAP, NOT_OWNED, BARE_INTENT, STALE_MEMBER, ABORT_AND_REPEAT,
                    NOT_TRANSACTIONAL, FORGOTTEN_HANDLES, LATEST_OUTCOME, NO_OWNER, UNHEARD, CANCELLED_FIRST,
                    UNTOLD_HANDLES, FORGOTTEN_LABELS, FORGOTTEN_BUDGETS, FORGOTTEN_INTENTS, ADDED_PARTITION ->
                ends;
        };
    }

    /// The number of partitions that the worker takes over.
    int recorded(SimCluster cluster) {
        return this == ADDED_PARTITION ? cluster.most : cluster.partitions;
    }

    /// The cancellations that the worker's calls find.
    Cancellations heard(Cancellations all, InstantSource clock) {
        return this == UNHEARD ? new Cancellations(clock) : all;
    }

    /// The stage that settles a call, and then ends it when it was cancelled.
    IdentityStage gate(IdentityStage identity, CancelReplies cancelling) {
        if (this != CANCELLED_FIRST)
            return new CancelGate(identity, cancelling);
        CancelGate alone = new CancelGate(IdentityStage.EVERY_CALL_RUNS, cancelling);
        return (run, abandoned) -> {
            IdentityStage.Entry entry = alone.enter(run, abandoned);
            return entry instanceof IdentityStage.Entry.GoOn ? identity.enter(run, abandoned) : entry;
        };
    }

    /// The publisher of cancellations of handles.
    Consumer<ProducerRecord<byte[], byte[]>> handles(Consumer<ProducerRecord<byte[], byte[]>> publisher) {
        return this == UNTOLD_HANDLES ? _ -> {} : publisher;
    }
}
