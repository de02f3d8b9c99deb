package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Fixtures for tests of handles: one handle, calls that hold it, and records that name it.
final class Handles {
    static final String HANDLE = "h-1";
    static final String CONVERSATION = "telegram:1";
    static final ToolRef TOOL = new ToolRef("acme", "build", "start");
    static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
    static final Instant DEADLINE = START.plus(Duration.ofHours(24));
    static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    static final WireCodec<Completion> COMPLETIONS = WireCodec.of(Completion.class);
    /// Time at which approvals expire.
    static final Instant EXPIRES = START.plus(Duration.ofMinutes(5));
    static final Approval ASKED = new Approval("acme/production/look", List.of("acme/production/look",
            "finance-safety/isTransactional"), "A person looks first.", "sha256:as-run", "sha256:p").hiding(0);
    static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);
    static final WireCodec<CancelCall> CANCELS = WireCodec.of(CancelCall.class);

    private Handles() {}

    static DecisionContext at(Instant now) {
        return new DecisionContext(now, Optional.empty());
    }

    static DecisionContext at(Instant now, PollSpec poll) {
        return new DecisionContext(now, Optional.of(poll));
    }

    /// A call of a partition that equals its offset modulo four.
    static PendingCall waiting(long offset) {
        return waiting(offset, PendingCall.Kind.ASYNC, null, null);
    }

    static PendingCall waiting(long offset, PendingCall.Kind kind, @Nullable Duration heartbeat,
            @Nullable String token) {
        ToolCall call = ToolCall.of("call-" + offset, "build__start", Json.MAPPER.readTree("{\"project\":\"p\"}"),
                CONVERSATION).inStep("coder", "turn", "step", 1);
        return new PendingCall(HANDLE, kind, call, (int) (offset % 4), offset, null,
                Json.MAPPER.readTree("{\"queued\":true}"), DEADLINE, heartbeat,
                token == null ? null : Digests.sha256(token), START,
                new CallOrigin("sha256:f", 1, TOOL, START, null));
    }

    /// The same wait of a record that was appended at another time.
    static PendingCall calledAt(PendingCall call, Instant calledAt) {
        return new PendingCall(call.handle(), call.kind(), call.call(), call.partition(), call.callOffset(),
                call.catalogDigest(), call.output(), call.deadline(), call.heartbeatTimeout(), call.tokenHash(),
                call.createdAt(), new CallOrigin("sha256:f", 1, TOOL, calledAt, null), call.approval());
    }

    /// A call of that offset that waits for a person.
    static PendingCall asking(long offset) {
        PendingCall call = waiting(offset, PendingCall.Kind.APPROVAL, null, null);
        return new PendingCall(call.handle(), call.kind(), call.call(), call.partition(), offset, "sha256:c",
                call.output(), EXPIRES, null, null, START, call.origin(), ASKED);
    }

    /// Returns the same call, with that number of hidden places in its question.
    static PendingCall hiding(@Nullable Integer places) {
        return asking(8).hiding(places);
    }

    static Decision approve() {
        return Decision.approve(HANDLE, "ann", "looks right");
    }

    static Decision reject() {
        return Decision.reject(HANDLE, "ben", "not today");
    }

    static HandleMessage decided(Decision decision) {
        return new HandleMessage.Decided(decision, raw(RawRecord.Source.DECISION, DECISIONS.write(decision)));
    }

    static Completion completed(@Nullable String token) {
        return Completion.completed(HANDLE, Json.MAPPER.readTree("{\"done\":true}"), token);
    }

    static Completion failed(String message) {
        return Completion.failed(HANDLE, new ToolError("E_BUILD", "BuildError", message, null, null), null);
    }

    static Completion progress(double percent, @Nullable String message) {
        return Completion.progress(HANDLE, new Progress(percent, message), null);
    }

    static CancelCall cancel(String instance) {
        return new CancelCall(instance, null, null, HANDLE, "ops", "not needed", null, null);
    }

    static HandleMessage said(Completion completion) {
        return new HandleMessage.Report(completion, raw(RawRecord.Source.COMPLETION, COMPLETIONS.write(completion)));
    }

    static HandleMessage unwanted(String instance) {
        CancelCall cancel = cancel(instance);
        return new HandleMessage.Cancellation(cancel, raw(RawRecord.Source.CANCEL, CANCELS.write(cancel)));
    }

    static RawRecord raw(RawRecord.Source source, byte[] value) {
        return new RawRecord(source, "tool.completion/0/7", value, List.of());
    }

    static PendingHandle open(PendingCall call) {
        return (PendingHandle) UnknownHandle.HANDLE.pended(call, at(START)).next();
    }

    /// Returns the outcome of a step that ends the call.
    static Completion outcome(HandleLifecycle.Transition step) {
        assertThat(step.effects()).hasSize(2).last().isEqualTo(new HandleEffect.Tombstone());
        return ((HandleEffect.Outcome) step.effects().getFirst()).outcome();
    }

    /// Returns the error of an end.
    static ToolError error(Completion end) {
        return requireNonNull(end.error());
    }
}
