package dev.toolfleet.worker.call;

import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.wire.ResumedCall.Grant;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import dev.toolfleet.worker.agents.AgentSends;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.policy.Ruling;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.CallTrace;
import org.jspecify.annotations.Nullable;

/// Call that left its lane.
///
/// @param at the record that is finished with the call: its own, or the one with a pending call's outcome
/// @param startedAt when it left its lane's queue, in epoch milliseconds
/// @param order its place in its lane, as tools see it
/// @param grant the approval that it runs by; null for a call without approval
/// @param attempt the number of its handler's next start, from 1
/// @param trace spans of the call
/// @param sends messages to agents that go with its result
/// @param course its place on its way, shared with other threads
/// @param latest its latest stage
public record Identified(IdentifiedCall call, Position at, long startedAt, long order, @Nullable Grant grant,
        int attempt,
        CallTrace trace, AgentSends sends, CallCourse course,
        AtomicReference<CallFacts> latest) implements CallFacts {
    /// A call at its own record.
    public static Identified of(IdentifiedCall call, long startedAt) {
        return of(call, call.arrival().position(), startedAt);
    }

    /// A call that ends by another record.
    public static Identified of(IdentifiedCall call, Position at, long startedAt) {
        return begun(call, at, startedAt, call.arrival().position().offset(), null, 1, CallTrace.OFF);
    }

    /// The same call, traced.
    public Identified tracedBy(CallTrace by) {
        return reached(new Identified(call, at, startedAt, order, grant, attempt, by, sends, course, latest));
    }

    /// The same call as a record of its own, traced as this one.
    public Identified as(IdentifiedCall other, Position place, long began) {
        return begun(other, place, began, other.arrival().position().offset(), null, 1, trace);
    }

    /// A call in its lane.
    public static Identified begun(IdentifiedCall call, Position at, long startedAt, long order,
            @Nullable Grant grant, int attempt, CallTrace trace) {
        Identified begun = new Identified(call, at, startedAt, order, grant, attempt, trace, new AgentSends(),
                new CallCourse(startedAt), new AtomicReference<>());
        return begun.reached(begun);
    }

    /// The same call, with its partition's memory.
    public Recalled recalledBy(@Nullable PartitionState partition) {
        return new Recalled(this, partition, attempt, 0, false, false, null, null, null);
    }

    @Override
    public String toString() {
        return call + " at " + at;
    }

    @Override
    public Identified identified() {
        return this;
    }

    @Override
    public CallFacts before() {
        return this;
    }

    @Override
    public @Nullable PartitionState state() {
        return null;
    }

    @Override
    public int deaths() {
        return 0;
    }

    @Override
    public boolean isDoubtful() {
        return false;
    }

    @Override
    public boolean isUnread() {
        return false;
    }

    @Override
    public @Nullable String waitedFor() {
        return grant == null ? null : grant.handle();
    }

    @Override
    public @Nullable RegisteredTool tool() {
        return null;
    }

    @Override
    public @Nullable ToolRef ref() {
        return null;
    }

    @Override
    public @Nullable ToolSource source() {
        return null;
    }

    @Override
    public @Nullable String catalogDigest() {
        return null;
    }

    @Override
    public @Nullable String policyDigest() {
        return null;
    }

    @Override
    public int declaredErrorLimit() {
        return ErrorText.DEFAULT_LIMIT;
    }

    @Override
    public boolean isLoop() {
        return false;
    }

    @Override
    public @Nullable Ruling ruling() {
        return null;
    }

    @Override
    public @Nullable ApprovalQuestion asking() {
        return null;
    }

    @Override
    public boolean isApprovalUsed() {
        return false;
    }

    @Override
    public boolean ran() {
        return false;
    }

    @Override
    public long handlerMillis() {
        return 0;
    }

    @Override
    public boolean replayed() {
        return false;
    }
}
