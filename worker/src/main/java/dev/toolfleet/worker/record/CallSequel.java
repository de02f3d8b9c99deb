package dev.toolfleet.worker.record;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.worker.call.CallRun;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.identity.PartitionState;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// What comes after the end of a call: its partition remembers the answer; if it has lost the partition, the heir is
/// told; if the broker refuses the result, an error says so (G6).
///
/// @param reply as the call ended, before the guard: whoever publishes it guards it; null when no heir would ask
/// @param replaceable whether something smaller can be published instead
/// @param waits what is kept of a pending call; null for a call that has ended
/// @param waitsFor the handle that a pending call waits for; null for a call that has ended
record CallSequel(Outcomes outcomes, CallRun run, @Nullable ToolReply reply, boolean replaceable,
        @Nullable PendingCall waits,
        @Nullable OpenHandle waitsFor) implements Outcome.Sequel {
    @Override
    public void committed(long offset, long appendedAt) {
        outcomes.counted(run, waitsFor != null);
        PartitionState state = run.state();
        if (state == null)
            return;
        if (waitsFor != null) {
            state.committedPending(run.call(), waitsFor, offset, appendedAt);
            outcomes.becamePending(waitsFor);
        } else {
            state.committed(run.call(), offset, appendedAt);
        }
    }

    @Override
    public @Nullable ProducerRecord<byte[], byte[]> handOver() {
        return outcomes.handOver(run, reply, waits);
    }

    @Override
    public @Nullable Outcome refused(Throwable cause) {
        return replaceable ? outcomes.refused(run, cause) : null;
    }
}
