package dev.toolfleet.worker.pipeline;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;

/// The pipeline's outcomes without the pipeline, for a simulation that runs calls itself.
public record Answers(Outcomes outcomes) {
    /// What is published for a call that ended.
    public Outcome of(IdentifiedCall call, long startedAt, ToolReply reply) {
        return outcomes.of(new CallRun(call, startedAt), reply, new Guarded(reply, null));
    }

    /// What is published for a record that is no call.
    public Outcome malformed(Arrival.Malformed malformed) {
        return outcomes.malformed(malformed);
    }
}
