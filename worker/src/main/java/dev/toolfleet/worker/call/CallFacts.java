package dev.toolfleet.worker.call;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.ResumedCall.Grant;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import dev.toolfleet.worker.agents.AgentSends;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.policy.Ruling;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.CallKeys;
import dev.toolfleet.worker.telemetry.CallTrace;
import org.jspecify.annotations.Nullable;

/// Facts about one call, as far as its stage knows them. A call moves from [Identified] to [Recalled], [Judged], [Ruled],
/// [Started] and [Ended]; each stage holds the one before it, and may be the last.
///
/// **Threads.** Immutable, but for what [#course] and [#sends] hold. The call's thread makes each stage and publishes it by
/// [#reached]; a thread that ends the call from outside takes the latest one by [#now].
public sealed interface CallFacts
        permits Identified, Recalled, CallFacts.Judged, CallFacts.Ruled, CallFacts.Started, CallFacts.Ended {

    /// Call that a catalog has judged.
    ///
    /// @param source the tool's bundle; null when the catalog does not offer it
    /// @param catalogDigest null without a catalog
    /// @param policyDigest null without a policy
    /// @param declaredErrorLimit UTF-16 units of an error message, also of calls that never reach their handlers
    /// @param isLoop true if it is refused because it repeats without a change
    record Judged(Recalled before, @Nullable ToolSource source, @Nullable String catalogDigest,
            @Nullable String policyDigest, int declaredErrorLimit, boolean isLoop) implements CallFacts {
        /// A call that goes on.
        public Judged(Recalled before, @Nullable ToolSource source, @Nullable String catalogDigest,
                @Nullable String policyDigest, int declaredErrorLimit) {
            this(before, source, catalogDigest, policyDigest, declaredErrorLimit, false);
        }

        /// The same, which is refused because it repeats without a change.
        public Judged looped() {
            return new Judged(before, source, catalogDigest, policyDigest, declaredErrorLimit, true);
        }

        @Override
        public Identified identified() {
            return before.identified();
        }
    }

    /// Call that policy has ruled.
    ///
    /// @param chosen its tool; null until it is found
    /// @param asking the question that is put to a person; null for none
    /// @param isApprovalUsed true if it went on because a person had approved it
    record Ruled(Judged before, Ruling ruling, @Nullable RegisteredTool chosen, @Nullable ToolRef chosenAs,
            @Nullable ApprovalQuestion asking, boolean isApprovalUsed) implements CallFacts {
        /// A call whose tool is not chosen yet.
        public Ruled(Judged before, Ruling ruling) {
            this(before, ruling, null, null, null, false);
        }

        /// The same by a later ruling.
        public Ruled anew(Ruling now) {
            return new Ruled(before, now, chosen, chosenAs, asking, isApprovalUsed);
        }

        /// The same, which this tool runs.
        public Ruled of(RegisteredTool tool, ToolRef ref) {
            return new Ruled(before, ruling, tool, ref, asking, isApprovalUsed);
        }

        /// The same, about which a person is asked.
        public Ruled asks(ApprovalQuestion question) {
            return new Ruled(before, ruling, chosen, chosenAs, question, isApprovalUsed);
        }

        /// The same, which goes on by its approval.
        public Ruled approved() {
            return new Ruled(before, ruling, chosen, chosenAs, asking, true);
        }

        @Override
        public Identified identified() {
            return before.identified();
        }

        @Override
        public @Nullable RegisteredTool tool() {
            return chosen == null ? before.tool() : chosen;
        }

        @Override
        public @Nullable ToolRef ref() {
            return chosen == null ? before.ref() : chosenAs;
        }

        @Override
        public @Nullable String policyDigest() {
            String digest = ruling.basis().policyDigest();
            return digest == null ? before.policyDigest() : digest;
        }
    }

    /// Call whose handler is about to start, or runs.
    ///
    /// @param attempt the number of this start, from 1
    record Started(Ruled before, int attempt) implements CallFacts {
        @Override
        public Identified identified() {
            return before.identified();
        }
    }

    /// Call that has its answer.
    ///
    /// @param ran true if its handler has ended, here or at an earlier owner, and was not merely given up
    /// @param handlerMillis the handler's time
    /// @param replayed true if an earlier result is published again
    record Ended(CallFacts before, boolean ran, long handlerMillis, boolean replayed) implements CallFacts {
        /// A call whose handler has ended.
        public static Ended after(CallFacts before, long handlerMillis) {
            return new Ended(before, true, handlerMillis, false);
        }

        /// A duplicate whose earlier result is published again.
        public static Ended again(CallFacts before) {
            return new Ended(before, before.ran(), before.handlerMillis(), true);
        }

        @Override
        public Identified identified() {
            return before.identified();
        }
    }

    /// The first stage.
    Identified identified();

    /// The stage before; the first one returns itself.
    CallFacts before();

    /// The call has come to a stage. On its own thread.
    default <F extends CallFacts> F reached(F next) {
        identified().latest().set(next);
        return next;
    }

    /// The latest stage that the call has come to. On any thread.
    default CallFacts now() {
        return identified().latest().get();
    }

    /// The call.
    default IdentifiedCall call() {
        return identified().call();
    }

    /// The record whose offset is committed with the call's end.
    default Position at() {
        return identified().at();
    }

    /// The time at which it left its lane's queue, in epoch milliseconds.
    default long startedAt() {
        return identified().startedAt();
    }

    /// Its place in its lane, as tools see it.
    default long order() {
        return identified().order();
    }

    /// The approval that it runs by; null for a call without approval.
    default @Nullable Grant grant() {
        return identified().grant();
    }

    /// Spans of the call.
    default CallTrace trace() {
        return identified().trace();
    }

    /// Messages to agents that go with its result.
    default AgentSends sends() {
        return identified().sends();
    }

    /// Its place on its way.
    default CallCourse course() {
        return identified().course();
    }

    /// The number of its handler's start, from 1.
    default int attempt() {
        return before().attempt();
    }

    /// Hears when the call's result is committed; null for a call that no duplicate can follow.
    default @Nullable PartitionState state() {
        return before().state();
    }

    /// The number of workers that died while they may have had it.
    default int deaths() {
        return before().deaths();
    }

    /// True if a result may answer this very record.
    default boolean isDoubtful() {
        return before().isDoubtful();
    }

    /// True if the journal holds an entry of the call that cannot be read.
    default boolean isUnread() {
        return before().isUnread();
    }

    /// The handle by whose end the call ends, or by whose approval it runs; null when it did not wait for one.
    default @Nullable String waitedFor() {
        return before().waitedFor();
    }

    /// Its tool; null until that is known.
    default @Nullable RegisteredTool tool() {
        return before().tool();
    }

    /// The declaration that runs; null until that is known.
    default @Nullable ToolRef ref() {
        return before().ref();
    }

    /// The tool's bundle.
    default @Nullable ToolSource source() {
        return before().source();
    }

    /// The catalog that judged it.
    default @Nullable String catalogDigest() {
        return before().catalogDigest();
    }

    /// The policy that ruled it.
    default @Nullable String policyDigest() {
        return before().policyDigest();
    }

    /// UTF-16 units of an error message, by the declaration.
    default int declaredErrorLimit() {
        return before().declaredErrorLimit();
    }

    /// True if it is refused because it repeats without a change.
    default boolean isLoop() {
        return before().isLoop();
    }

    /// The ruling; null when policy was not asked.
    default @Nullable Ruling ruling() {
        return before().ruling();
    }

    /// The question that is put to a person; null for none.
    default @Nullable ApprovalQuestion asking() {
        return before().asking();
    }

    /// True if it went on because a person had approved it.
    default boolean isApprovalUsed() {
        return before().isApprovalUsed();
    }

    /// True if its handler has ended, and was not merely given up.
    default boolean ran() {
        return before().ran();
    }

    /// The handler's time.
    default long handlerMillis() {
        return before().handlerMillis();
    }

    /// True if an earlier result is published again.
    default boolean replayed() {
        return before().replayed();
    }

    /// The entry on the journal that the call's result closes; null for none.
    default @Nullable CallIntent intent() {
        return course().intent();
    }

    /// The W3C context of every record that comes of it; null for none.
    default @Nullable TraceContext context() {
        return trace().context(call().arrival().trace());
    }

    /// For correlation: the name that the caller gave, else the W3C trace.
    default @Nullable String traceId() {
        String named = call().arrival().call().traceId();
        TraceContext context = context();
        return named != null || context == null ? named : context.traceId();
    }

    /// Names the call in the lines of this thread until the result is closed.
    ///
    /// @param spanId the span that runs; null where nothing is traced
    default CallKeys keys(@Nullable String spanId) {
        return CallKeys.of(call().arrival().call(), context(), spanId);
    }

    /// The name under which its starts are noted. An approval is used once, so its starts have a name of their own, and the
    /// entry of the open handle stays beside them until the call has ended.
    default String noted() {
        Grant by = grant();
        return by == null ? call().identity().text() : call().identity().resumedBy(by.handle()).text();
    }

    /// True if the reply is the question that is put to a person.
    default boolean isQuestion(ToolReply reply) {
        ApprovalQuestion question = asking();
        return question != null && question.isAskedBy(reply);
    }

    /// The reply as it may be published.
    default ToolReply asAsked(ToolReply reply) {
        ApprovalQuestion question = asking();
        return question == null ? reply : question.asAsked(reply);
    }

    /// True if its tool accesses sensitive data, as far as is known.
    default boolean isSensitive() {
        Ruling said = ruling();
        RegisteredTool found = tool();
        return (said != null && said.basis().sensitive())
                || (found != null && found.export().policy().accessesSensitiveData());
    }

    /// UTF-16 units of an error message.
    default int errorLimit() {
        RegisteredTool found = tool();
        return found == null ? declaredErrorLimit() : found.errorMessageLimit();
    }

    /// True if the journal holds an entry of the call's start.
    default boolean hasStart() {
        return intent() != null || isUnread();
    }

    /// True if the journal holds an entry that its end closes.
    default boolean isJournaled() {
        return hasStart() || at().source() == Position.Source.RESUMED;
    }

    /// True if its handler may have been started, here or by an earlier owner that noted it.
    default boolean isAnnounced() {
        CallIntent noted = intent();
        return noted != null && noted.mayHaveStarted();
    }

    /// True if a handler may have been started that must not start twice.
    default boolean mayNotRepeat() {
        RegisteredTool found = tool();
        return found != null && !found.export().annotations().repeatable() && (ran() || isAnnounced());
    }
}
