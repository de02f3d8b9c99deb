package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.ErrorText;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall.Grant;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallCourse;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.CallFacts.Judged;
import dev.toolfleet.worker.call.CallFacts.Ruled;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.catalog.CatalogVerdict;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.execute.HandlerResult;
import dev.toolfleet.worker.execute.OperandInquiry;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.lane.LaneSlot;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.middleware.Onion;
import dev.toolfleet.worker.middleware.OnionCall;
import dev.toolfleet.worker.override.CallWatch;
import dev.toolfleet.worker.override.LaneOverride;
import dev.toolfleet.worker.policy.Ruling;
import dev.toolfleet.worker.record.GuardStage;
import dev.toolfleet.worker.record.OutcomeRecords;
import dev.toolfleet.worker.recovery.IdentityStage;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.registry.Layers;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.telemetry.CallKeys;
import dev.toolfleet.worker.telemetry.CallTrace;
import dev.toolfleet.worker.telemetry.LogKeys;
import dev.toolfleet.worker.telemetry.TraceNames;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The order of stages for one call: identity, onion ( catalog, policy, arguments, limits, journal, handler ), guard,
/// outcome. Runs on the call's virtual thread; whatever throws in it becomes an error result (G5).
public final class CallPipeline implements Lanes.CallRunner {
    private static final Logger LOG = LoggerFactory.getLogger(CallPipeline.class);
    /// The longest wait for the end of a call that another thread has taken away.
    private static final Duration END = Duration.ofSeconds(5);

    private final CallStages stages;
    private final ToolRegistry registry;
    private final HandlerCalls handlerCalls;
    private final Ownership ownership;
    private final OutcomeRecords outcomes;
    private final Consumer<Outcome> publisher;
    private final InstantSource clock;

    /// A pipeline that hands outcomes to `publisher`.
    public CallPipeline(CallStages stages, ToolRegistry registry, HandlerCalls handlerCalls, Ownership ownership,
            OutcomeRecords outcomes, Consumer<Outcome> publisher, InstantSource clock) {
        this.stages = stages;
        this.registry = registry;
        this.handlerCalls = handlerCalls;
        this.ownership = ownership;
        this.outcomes = outcomes;
        this.publisher = publisher;
        this.clock = clock;
    }

    @Override
    public void run(LaneSlot slot) {
        switch (slot.arrival()) {
            case Arrival.Malformed malformed ->
                new FirstEnd(slot, publisher)
                        .publish(() -> outcomes.malformed(malformed, stages.guard()));
            case Arrival.Call call -> run(slot, call, null, new FirstEnd(slot, publisher));
            case Arrival.Granted granted -> run(slot, granted.call(), granted,
                    new FirstEnd(slot, outcome -> publisher.accept(ReleasingSequel.of(outcome, granted.done()))));
        }
    }

    /// A call that got no fate would hold its partition's frontier for ever.
    private void run(LaneSlot slot, Arrival.Call call, Arrival.@Nullable Granted granted, FirstEnd fate) {
        Identified run = null;
        try {
            run = identified(slot, call, granted);
            LaneOverride.End end = end(run, fate);
            stages.help().begins(run, slot, end);
            try (Scope _ = run.trace().current()) {
                run(run, fate, end);
            }
        } catch (Throwable e) {
            CallFacts broken = run == null ? null : run.now();
            boolean mine = fate.publish(() -> outcomes.broken(call, broken, slot.arrival().position(), e));
            if (mine && broken != null && broken.state() != null && broken.grant() == null)
                broken.state().forget(broken.call());
            LOG.atError().addKeyValue(LogKeys.CALL_ID, call.call().id())
                    .addKeyValue(LogKeys.REASON, e.getClass().getName()).log("pipeline broke");
        } finally {
            if (run != null)
                run.trace().ended();
        }
    }

    private Identified identified(LaneSlot slot, Arrival.Call call, Arrival.@Nullable Granted granted) {
        CallOrigin origin = granted == null ? null : granted.resumed().origin();
        IdentifiedCall identified = IdentifiedCall.of(call, origin == null ? null : origin.fingerprint());
        Position at = slot.arrival().position();
        long now = clock.millis();
        CallTrace trace = stages.traces().begin(call.call(), call.trace(), granted != null, at.partition(), at.offset(),
                granted == null ? now - call.appendedAt() : -1);
        return Identified.begun(identified, at, now, slot.order(), granted == null ? null : granted.grant(),
                origin == null ? 1 : origin.attempt(), trace);
    }

    private LaneOverride.End end(Identified run, FirstEnd fate) {
        return new LaneOverride.End() {
            @Override
            public boolean isDecided() {
                return fate.isDecided();
            }

            @Override
            public void with(ToolReply reply) {
                publish(run, reply, null, fate);
            }
        };
    }

    private void run(Identified run, FirstEnd fate, LaneOverride.End end) {
        switch (stages.identity().enter(run, late -> publish(run, late, null, fate))) {
            case IdentityStage.Entry.GoOn(Recalled call) -> start(call, fate, end);
            case IdentityStage.Entry.Ended(ToolReply reply, var pending) -> publish(run, reply, pending, fate);
            case IdentityStage.Entry.Settled(Outcome outcome) -> fate.publish(() -> outcome);
            case IdentityStage.Entry.Left() -> leave(run, fate);
        }
    }

    private void start(Recalled run, FirstEnd fate, LaneOverride.End end) {
        run.course().to(CallCourse.Stage.LAYERS, clock.millis());
        run.course().letGo(clock.millis());
        CallWatch.Watched watched = stages.watch().begins(run.identified(), end);
        try {
            layered(run, fate);
        } finally {
            watched.over();
        }
    }

    private void layered(Recalled run, FirstEnd fate) {
        ToolReply reply;
        boolean patient;
        try {
            patient = awaited(run);
        } catch (InterruptedException e) {
            reply = interrupted(run);
            if (run.course().isLeft())
                leave(run, fate);
            else
                publish(run, reply, null, fate);
            return;
        }
        Layers layers = registry.acquireLayers(run.call().arrival().call().agentName());
        try {
            OnionCall onion = new OnionCall(run.call().arrival().call());
            try (CallKeys _ = layers.outermostFirst().isEmpty() ? CallKeys.NONE : run.keys(run.trace().spanId())) {
                reply = Onion.run(layers.outermostFirst(), onion, () -> core(run, onion.current(), patient, fate),
                        () -> run.now().mayNotRepeat());
            }
        } catch (Throwable e) {
            LOG.atError().setCause(Unquoted.of(e)).addKeyValue(LogKeys.CALL_ID, run.call().arrival().call().id())
                    .log("pipeline failed");
            reply = new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL,
                    "The fleet failed to run the call: " + e));
        } finally {
            layers.release();
        }
        if (run.course().isLeft()) {
            leave(run, fate);
        } else {
            publish(run, reply, null, fate);
        }
    }

    /// Twins that wait for this call learn that it will have no result here.
    private static void leave(CallFacts run, FirstEnd fate) {
        PartitionState state = run.now().state();
        if (state != null)
            state.left(run.call());
        fate.leave();
    }

    /// On any thread, by the facts of now.
    private void publish(CallFacts call, ToolReply reply, @Nullable PendingCall pending, FirstEnd fate) {
        boolean decided = fate.publish(() -> {
            CallFacts run = call.now();
            GuardStage guard = stages.guard();
            if (pending == null) {
                ToolReply said = run.asAsked(reply);
                return outcomes.of(run, said, guard.of(run, said));
            }
            boolean question = pending.kind().isQuestion() && reply instanceof ToolReply.Pending;
            return outcomes.pendingElsewhere(run, pending, guard.of(run, reply, question));
        });
        // The call's own thread may still be busy with it.
        if (decided)
            call.trace().ended();
    }

    /// Layers are taken of the revision in which the call's step was made (`CatalogGate.await`).
    ///
    /// @return whether its step's catalog may still be waited for
    private boolean awaited(Recalled run) throws InterruptedException {
        Grant grant = run.grant();
        if (grant != null && grant.catalogDigest() != null)
            return true;
        run.course().to(CallCourse.Stage.CATALOG, clock.millis());
        boolean known = stages.catalog().await(run.call().arrival().call(),
                run.call().arrival().position().partition());
        run.course().to(CallCourse.Stage.LAYERS, clock.millis());
        return known;
    }

    /// Left alone only when another worker reads it again. Otherwise: the call never ends.
    private ToolReply interrupted(CallFacts run) {
        if (!ownership.current().owns(run.call().arrival().position())) {
            run.course().leave();
            stages.starts().left(run);
        }
        return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL,
                "The call was interrupted while it waited for its catalog or a grant; it was not started."));
    }

    private ToolReply core(Recalled run, ToolCall call, boolean patient, FirstEnd fate) {
        // A layer may have left its interrupt behind, which is none of this call's business.
        Thread.interrupted();
        run.course().to(CallCourse.Stage.CATALOG, clock.millis());
        CatalogVerdict verdict;
        try {
            Grant grant = run.grant();
            verdict = stages.catalog().judge(call, run.call().arrival().position().partition(),
                    grant == null ? null : grant.catalogDigest(), patient);
        } catch (InterruptedException e) {
            return interrupted(run);
        }
        run.trace().passed(TraceNames.JUDGED);
        return switch (verdict) {
            case CatalogVerdict.Refused(ToolError error, var digest, var policy) -> {
                Judged judged = run.reached(new Judged(run, null, digest, policy, ErrorText.DEFAULT_LIMIT));
                ToolReply loop = looped(judged, false);
                yield loop == null ? new ToolReply.Failed(error) : loop;
            }
            case CatalogVerdict.Offered(var tool, var digest, var policy) -> {
                int limit = registry.resources().tool(tool.item().tool())
                        .map(declared -> declared.spec().errorMessageLimit()).orElse(ErrorText.DEFAULT_LIMIT);
                Judged judged = run.reached(new Judged(run, tool.item().source(), digest, policy, limit));
                ToolReply loop = looped(judged, mayRepeat(tool));
                yield loop == null ? offered(judged, call, tool, fate) : loop;
            }
        };
    }

    private boolean mayRepeat(CatalogTool offered) {
        ToolRef ref = offered.item().tool();
        return registry.resources().tool(ref).flatMap(tool -> tool.export(ref.export()))
                .filter(export -> export.execution().mayRepeat()).isPresent();
    }

    /// Comes before policy, so no person is asked about a call that would be refused.
    private @Nullable ToolReply looped(Judged judged, boolean mayRepeat) {
        ToolError refusal = stages.loops().refusal(judged, mayRepeat);
        if (refusal == null)
            return null;
        judged.reached(judged.looped());
        return new ToolReply.Failed(refusal);
    }

    private ToolReply offered(Judged judged, ToolCall call, CatalogTool offered, FirstEnd fate) {
        Ruled ruled;
        try {
            ruled = stages.policy().rule(judged, call, offered);
        } catch (InterruptedException e) {
            return interrupted(judged);
        }
        if (ruled.ruling() instanceof Ruling.Denied(var _, ToolError denial))
            return new ToolReply.Failed(denial);
        ToolError invalid = offered.schema().check(call.args());
        if (invalid != null)
            return new ToolReply.Failed(invalid);
        RegisteredTool tool = registry.acquire(offered.item().tool());
        if (tool == null)
            return notFound(offered);
        Ruled run = ruled.reached(ruled.of(tool, offered.item().tool()));
        try {
            Supplier<OperandInquiry.Found> files = () -> stages.operands().of(tool,
                    handlerCalls.of(run, call, handlerCalls.limit(call, tool)), call.argsObject(),
                    late -> publish(run, late, null, fate));
            BudgetStage.Spender spender = stages.budgets().of(run, call, offered, tool);
            ToolError exhausted = spender.refusal();
            if (exhausted != null)
                return new ToolReply.Failed(exhausted);
            ToolReply unauthorized = unauthorized(run, call, tool);
            if (unauthorized != null)
                return unauthorized;
            ToolReply question = handedBack(run, stages.policy().ask(run, call, files));
            if (question != null)
                return question;
            if (!run.course().hold()) {
                // Otherwise: this reply may come before that of the deadline or the order that took the call away.
                fate.await(END);
                return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_CANCELLED, "The call was ended meanwhile."));
            }
            Ruled asked = run.now() instanceof Ruled now ? now : run;
            return reply(run, stages.starts().run(new HandlerStarts.Start(asked, call, tool, offered.item().tool(),
                    handlerCalls, () -> handedBack(run, again(asked, call, offered, files)), spender,
                    abandoned -> publish(run, abandoned, null, fate))));
        } finally {
            tool.release();
            run.course().to(CallCourse.Stage.LAYERS, clock.millis());
            run.course().letGo(clock.millis());
        }
    }

    private @Nullable ToolReply unauthorized(Ruled run, ToolCall call, RegisteredTool tool) {
        try {
            return stages.authorization().missing(run, call, tool);
        } catch (InterruptedException e) {
            return interrupted(run);
        }
    }

    private @Nullable ToolReply again(Ruled run, ToolCall call, CatalogTool offered,
            Supplier<OperandInquiry.Found> files) {
        try {
            return stages.policy().again(run, call, offered, files);
        } catch (InterruptedException e) {
            return interrupted(run);
        }
    }

    /// A call that is left before its handler starts is noted as such, so that the next owner need not wait for it.
    private @Nullable ToolReply handedBack(CallFacts run, @Nullable ToolReply reply) {
        if (run.course().isLeft())
            stages.starts().left(run);
        return reply;
    }

    private static ToolReply reply(CallFacts run, HandlerResult result) {
        return switch (result) {
            case HandlerResult.Replied(ToolReply reply, long millis) -> {
                run.reached(CallFacts.Ended.after(run.now(), millis));
                yield reply;
            }
            case HandlerResult.Left(boolean _) -> {
                run.course().leave();
                yield new ToolReply.Failed(
                        ToolError.of(ErrorCode.E_TOOL_CANCELLED, "The call is left to another worker."));
            }
        };
    }

    private ToolReply notFound(CatalogTool offered) {
        String problem = registry.whyMissing(offered.item().tool());
        return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_NOT_FOUND, "Tool '" + offered.item().name()
                + "' is not registered on this worker" + (problem == null ? "." : ": " + problem)));
    }
}
