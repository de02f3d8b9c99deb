package dev.toolfleet.worker.recovery;

import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.identity.EarlierAnswer;
import dev.toolfleet.worker.record.OutcomeRecords;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/// Answers duplicates with the result that stands on `tool.result`.
public final class Replays {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private final Results results;
    private final OutcomeRecords outcomes;

    /// Reads from `results`.
    public Replays(Results results, OutcomeRecords outcomes) {
        this.results = results;
        this.outcomes = outcomes;
    }

    /// Reads results that were published before.
    @FunctionalInterface
    public interface Results {
        /// The value of the record there; null when it is no longer there. May wait for a while.
        ///
        /// @throws KafkaException when it cannot be read
        byte @Nullable [] read(int partition, long offset);
    }

    /// The latest result of the call once more. Whatever happens, the call is not run again.
    Outcome of(CallFacts run, EarlierAnswer answer) {
        int partition = run.call().arrival().position().partition();
        try {
            byte[] value = results.read(partition, answer.resultOffset());
            return value == null
                    ? outcomes.gone(run, "it was deleted")
                    : outcomes.again(run, RESULTS.read(value));
        } catch (RuntimeException e) {
            return outcomes.gone(run, String.valueOf(e.getMessage()));
        }
    }
}
