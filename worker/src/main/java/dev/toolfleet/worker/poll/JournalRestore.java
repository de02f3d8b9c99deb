package dev.toolfleet.worker.poll;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reader of one partition's journal: passes the records of calls to the partition's state, and keeps the newest
/// frontier and owner. Owned by the take-over's thread.
final class JournalRestore {
    private static final Logger LOG = LoggerFactory.getLogger(JournalRestore.class);

    /// Prefix of the keys that are not a call's identity.
    private static final String RESERVED = "@";

    private final PartitionState state;
    private @Nullable Journaled frontier;
    private @Nullable PartitionOwner owner;
    private long appendedAt = -1;

    JournalRestore(PartitionState state) {
        this.state = state;
    }

    /// A frontier with the time at which it was journaled, in epoch milliseconds.
    record Journaled(PartitionFrontier frontier, long at) {}

    /// Returns the newest frontier; null if there is none.
    @Nullable
    Journaled frontier() {
        return frontier;
    }

    /// Returns the owner that has not given the partition up in order; null if the last owner did.
    @Nullable
    PartitionOwner owner() {
        return owner;
    }

    /// Append time of the newest record in epoch milliseconds; -1 for none.
    long appendedAt() {
        return appendedAt;
    }

    void restore(ConsumerRecord<byte[], byte[]> record) {
        appendedAt = Math.max(appendedAt, record.timestamp());
        if (record.key() == null)
            return;
        String key = new String(record.key(), StandardCharsets.UTF_8);
        if (record.value() == null) {
            closed(key);
            return;
        }
        try {
            JournalEntry entry = JournalEntry.read(record.value());
            if (!entry.key().equals(key))
                throw new IllegalArgumentException("the key names another call");
            switch (entry) {
                case CallIntent intent -> {
                    state.restoreOpen(intent, record.timestamp());
                    state.budgets().restoreOpen(intent);
                }
                case OpenHandle open -> {
                    state.restorePending(open);
                    state.budgets().restoreClosed(open.identity());
                }
                case PartitionFrontier newest -> frontier = new Journaled(newest, record.timestamp());
                case PartitionOwner newest -> owner = newest;
                case InstanceLabel label -> state.labels().restore(label);
                case SpentBudget spent -> state.budgets().restore(spent);
            }
        } catch (RuntimeException e) {
            // A record under a call's identity shows that an execution began, even if this version cannot read it.
            // Otherwise: a later version begins the call, this version ignores the record after a rollback and runs the
            // call again.
            if (!key.startsWith(RESERVED))
                state.restoreUnreadable(key);
            // The label counts, though it is not known which result added it.
            InstanceLabel.unreadOf(key).ifPresent(state.labels()::restore);
            LOG.atWarn().addKeyValue("topic", record.topic()).addKeyValue(LogKeys.PARTITION, record.partition())
                    .addKeyValue(LogKeys.OFFSET, record.offset()).addKeyValue(LogKeys.REASON, Unquoted.name(e))
                    .log(notUnderstood(key));
        }
    }

    private static String notUnderstood(String key) {
        if (!key.startsWith(RESERVED))
            return "journal record not understood: its call will not run";
        if (InstanceLabel.unreadOf(key).isPresent())
            return "journal record not understood: its label counts";
        return BudgetPlace.of(key).isPresent()
                ? "journal record not understood: its amount of a budget does not count"
                : "journal record not understood: passed over";
    }

    private void closed(String key) {
        if (key.equals(PartitionOwner.KEY)) {
            owner = null;
            return;
        }
        Optional<String> labelled = InstanceLabel.instanceOf(key);
        Optional<BudgetPlace> spent = BudgetPlace.of(key);
        if (labelled.isPresent()) {
            state.labels().restoreEnd(labelled.get(), InstanceLabel.termOf(key));
        } else if (spent.isPresent()) {
            state.budgets().restoreEnd(spent.get());
        } else {
            state.restoreClosed(key);
            state.budgets().restoreClosed(key);
        }
    }
}
