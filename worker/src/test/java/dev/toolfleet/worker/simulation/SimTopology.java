package dev.toolfleet.worker.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.StringNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/// Ends pending calls as the completions topology does (`docs/async-tools.md`): each once, after a while, and at once the
/// later of two with one handle. It lives outside the workers and never dies.
@SuppressWarnings("ReferenceEquality") // One object stands for one wait: two waits with one handle may be equal.
final class SimTopology implements Runnable {
    static final String FAILED = "E_WORK";
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    private static final long IDLE_MILLIS = 10_000;
    private static final long NOBODYS_OFFSET = 1_000_000;
    private static final long NEVER = Long.MAX_VALUE / 2;

    private final World world;
    private final Random random;
    private final long[] positions;
    private final Map<String, PendingCall> holders = new HashMap<>();
    private final List<Due> due = new ArrayList<>();
    private final List<Due> ended = new ArrayList<>();
    private final long[] controls;
    /// Handles that were cancelled before their calls came.
    private final Set<String> early = new HashSet<>();

    /// @param outcome null for an approval
    private record Due(long at, PendingCall call, @Nullable Completion outcome) {
        ResumedCall resumed() {
            return outcome == null ? ResumedCall.approved(call, grant(call)) : ResumedCall.ended(call, outcome);
        }

        private static ResumedCall.Grant grant(PendingCall call) {
            Approval asked = requireNonNull(call.approval());
            return new ResumedCall.Grant(call.handle(), asked.fingerprint(), asked.rule(), asked.rules(),
                    asked.policyDigest(), call.catalogDigest(), "ann", Instant.EPOCH);
        }
    }

    SimTopology(World world) {
        this.world = world;
        this.random = world.random;
        this.positions = new long[world.cluster.most];
        this.controls = new long[world.cluster.most];
    }

    @Override
    public void run() {
        while (true) {
            long next = due.stream().mapToLong(Due::at).min().orElse(world.fibers.now() + IDLE_MILLIS);
            world.fibers.await(this::hasNews, Math.max(0, next - world.fibers.now()));
            for (int partition = 0; partition < positions.length; partition++) {
                takeIn(partition);
                hear(partition);
            }
            List<Due> now = due.stream().filter(one -> one.at() <= world.fibers.now()).toList();
            due.removeAll(now);
            now.forEach(this::end);
        }
    }

    private boolean hasNews() {
        for (int partition = 0; partition < positions.length; partition++) {
            if (log(partition).stableEnd() > positions[partition]
                    || control(partition).stableEnd() > controls[partition])
                return true;
        }
        return false;
    }

    private SimLog log(int partition) {
        return world.cluster.log(Topic.PENDING, partition);
    }

    private SimLog control(int partition) {
        return world.cluster.log(Topic.CONTROL, partition);
    }

    private void hear(int partition) {
        SimLog.Read read = control(partition).read(controls[partition], Integer.MAX_VALUE);
        controls[partition] = read.next();
        read.records().stream().map(record -> SimControl.CANCELS.read(record.value())).map(CancelCall::handle)
                .filter(Objects::nonNull).forEach(this::cancelled);
    }

    /// Ends the call behind a handle, if nothing else has.
    private void cancelled(String handle) {
        PendingCall holder = holders.get(handle);
        if (holder == null) {
            early.add(handle);
        } else if (due.removeIf(one -> one.call() == holder)) {
            due.add(cancelled(holder));
        }
    }

    private Due cancelled(PendingCall holder) {
        SimCall call = world.history.call(holder);
        if (call != null && !world.history.cancels.mean(call, holder))
            world.history.broken("cancel handle: that of " + call.key()
                    + " is cancelled, and nobody has cancelled the call");
        return new Due(world.fibers.now(), holder,
                Completion.cancelled(holder.handle(), ToolError.of(ErrorCode.E_TOOL_CANCELLED, "not wanted"), null));
    }

    /// Handles of a call that have no end so far.
    List<String> openOf(SimCall call) {
        return due.stream().map(Due::call)
                .filter(pending -> holders.get(pending.handle()) == pending && call == world.history.call(pending))
                .map(PendingCall::handle).toList();
    }

    private void takeIn(int partition) {
        SimLog.Read read = log(partition).read(positions[partition], Integer.MAX_VALUE);
        positions[partition] = read.next();
        read.records().forEach(record -> takeIn(PENDING.read(record.value())));
    }

    private void takeIn(PendingCall call) {
        PendingCall holder = holders.putIfAbsent(call.handle(), call);
        long now = world.fibers.now();
        if (holder == null && early.remove(call.handle())) {
            due.add(cancelled(call));
        } else if (holder == null) {
            due.add(timed(call, new Due(now + patience(), call, outcome(call))));
        } else if (holder.isOf(call) && isDoubtful(call)) {
            // Its handle has ended, or will end it: the real topology knows it, too.
            world.history.add("topology", "knows " + call.handle());
        } else if (holder.isOf(call)) {
            world.history.broken("G1 duplicate: " + SimCall.key(call.partition(), call.callOffset()) + " waits twice");
        } else {
            due.add(new Due(now, call, Completion.failed(call.handle(),
                    ToolError.of(ErrorCode.E_TOOL_HANDLE_CONFLICT, "held by another call"), null)));
        }
    }

    /// The first of an end and the deadline, which comes earlier for work that may not be silent for long. The later one
    /// changes nothing. Approvals have more time than a world lasts.
    private Due timed(PendingCall call, Due end) {
        Duration silence = call.heartbeatTimeout();
        long deadline = silence == null
                ? call.deadline().toEpochMilli()
                : Math.min(call.deadline().toEpochMilli(), world.fibers.now() + silence.toMillis());
        if (call.kind() == PendingCall.Kind.APPROVAL || deadline > end.at())
            return end;
        return new Due(Math.max(world.fibers.now(), deadline), call,
                Completion.failed(call.handle(), ToolError.of(ErrorCode.E_TOOL_HANDLE_EXPIRED, "too slow"), null));
    }

    private boolean isDoubtful(PendingCall pending) {
        SimCall call = world.history.call(pending);
        return call != null && world.history.forgotten.isDoubtful(call);
    }

    /// Where answers are forgotten there should be time to ask for one.
    private long patience() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextInt(8_000);
            default -> random.nextInt(world.isForgetful() ? 8_000 : 1_500);
        };
    }

    private @Nullable Completion outcome(PendingCall pending) {
        if (pending.kind() == PendingCall.Kind.APPROVAL)
            return decision(pending);
        SimCall call = world.history.call(pending);
        if (call != null && call.endsLarge())
            return Completion.completed(pending.handle(), text("x".repeat(SimProducer.MAX_RESULT)), null);
        return switch (random.nextInt(4)) {
            case 0 -> Completion.failed(pending.handle(), new ToolError(FAILED, null, "broke", null, null), null);
            case 1 -> Completion.cancelled(pending.handle(), null, null);
            default -> Completion.completed(pending.handle(), text("done " + pending.callOffset()), null);
        };
    }

    /// Most are approved.
    private @Nullable Completion decision(PendingCall pending) {
        return switch (random.nextInt(6)) {
            case 0 -> Completion.failed(pending.handle(), ToolError.of(ErrorCode.E_TOOL_APPROVAL_REJECTED, "no"), null);
            case 1 ->
                Completion.failed(pending.handle(), ToolError.of(ErrorCode.E_TOOL_APPROVAL_EXPIRED, "late"), null);
            default -> null;
        };
    }

    private static StringNode text(String text) {
        return StringNode.valueOf(text);
    }

    private void end(Due one) {
        if (isLeftToItsCancellation(one)) {
            due.add(new Due(NEVER, one.call(), one.outcome()));
            return;
        }
        if (random.nextInt(4) == 0)
            noise(one.call());
        Completion outcome = one.outcome();
        if (outcome == null) {
            world.history.approved(one.call());
        } else {
            world.history.ended(one.call(), outcome);
        }
        append(one.call().partition(), one.resumed());
        ended.add(one);
        if (random.nextInt(4) == 0)
            noise(one.call());
    }

    /// Some work ends in no other way, so that a handle which is not cancelled is missed.
    private boolean isLeftToItsCancellation(Due one) {
        SimCall call = world.history.call(one.call());
        Completion outcome = one.outcome();
        return call != null && holders.get(one.call().handle()) == one.call()
                && (outcome == null || outcome.kind() != Completion.Kind.CANCELLED)
                && !world.history.forgotten.isAny() && world.history.cancels.mean(call) && random.nextBoolean();
    }

    /// What nobody waits for: another handle, an approval of one that nobody asked about, an earlier outcome once more, another outcome for a call that has its final
    /// result, a call that nobody made.
    private void noise(PendingCall near) {
        Due earlier = ended.isEmpty() ? null : ended.get(random.nextInt(ended.size()));
        switch (random.nextInt(4)) {
            case 0 -> append(near.partition(), unknown(near));
            case 1 -> {
                ToolCall nobodys = ToolCall.of("nobody", "ask__x", Json.MAPPER.createObjectNode(), "nobody");
                append(near.partition(), new ResumedCall(nobodys, NOBODYS_OFFSET, null,
                        Completion.completed("nobody", text("noise"), null), null, null));
            }
            case 2 -> {
                if (earlier != null)
                    append(earlier.call().partition(), earlier.resumed());
            }
            default -> {
                if (earlier != null && world.answers.isEnded(SimCall.mark(earlier.call().partition(),
                        earlier.call().callOffset(), earlier.call().call().id())))
                    append(earlier.call(), Completion.completed(earlier.call().handle(), text("noise"), null));
            }
        }
    }

    private static ResumedCall unknown(PendingCall near) {
        Approval asked = near.approval();
        return asked == null
                ? ResumedCall.ended(near, Completion.completed(near.handle() + "?", text("noise"), null))
                : ResumedCall.approved(near, new ResumedCall.Grant(near.handle() + "?", asked.fingerprint(),
                        asked.rule(), asked.rules(), null, null, "eve", Instant.EPOCH));
    }

    private void append(PendingCall call, Completion outcome) {
        append(call.partition(), ResumedCall.ended(call, outcome));
    }

    /// In a transaction; one that was given up may have come before.
    private void append(int partition, ResumedCall call) {
        SimLog log = world.cluster.log(Topic.CALL_RESUMED, partition);
        if (random.nextInt(8) == 0)
            append(log, call, false);
        append(log, call, true);
    }

    private void append(SimLog log, ResumedCall call, boolean commit) {
        SimLog.Slice slice = new SimLog.Slice();
        log.append(slice, world.fibers.now(), call.call().instanceKey().getBytes(UTF_8), RESUMED.write(call),
                new RecordHeaders());
        if (random.nextInt(4) == 0)
            world.fibers.sleep(random.nextInt(50));
        log.mark(slice, commit);
    }
}
