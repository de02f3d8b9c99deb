package dev.toolfleet.worker.record;

import java.util.List;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Entries of the journal about what a call has spent of budgets (`docs/budgets.md`), for the transaction of its first
/// result. Thread-safe.
record ResultBudgets(JournalRecords journal) {
    private static final Logger LOG = LoggerFactory.getLogger(ResultBudgets.class);

    /// Returns the entries; the same ones if a result takes the place of another.
    List<ProducerRecord<byte[], byte[]>> of(CallFacts run) {
        PartitionState state = run.state();
        return state == null ? List.of() : journal.budgets(run, state.budgets().ended(run.noted()));
    }

    /// Returns the entries for a call that the fleet failed to run; none if they cannot be made. Otherwise: what failed was
    /// their making, and the call never has a fate. Its amount counts until the partition moves.
    List<ProducerRecord<byte[], byte[]>> ofBroken(CallFacts run) {
        try {
            return of(run);
        } catch (RuntimeException e) {
            LOG.atError().setCause(Unquoted.of(e)).addKeyValue(LogKeys.CALL_ID, run.call().arrival().call().id())
                    .addKeyValue(LogKeys.PARTITION, run.at().partition())
                    .log("the amounts that a failed call has spent are not written");
            return List.of();
        }
    }

    /// Notes that the result was committed.
    static void committed(CallFacts run) {
        PartitionState state = run.state();
        if (state != null)
            state.budgets().committed(run.noted());
    }
}
