package dev.toolfleet.cli.explain;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// All that is known of one call at one moment, before anything is concluded.
///
/// @param answers on `tool.result`, in their order
/// @param waits what a pending call waits for; empty when it waits for nothing
/// @param start the newest start that stands on `tool.journal`; a tool that may run twice leaves none
/// @param group who could run it
/// @param ahead unfinished calls of its instance that were written before it
/// @param step what is known of its step
/// @param live what workers say over HTTP of its instance's calls
/// @param said what people and the fleet said of it
record CallSnapshot(RecordedCall call, Instant now, List<Answer> answers, Optional<Waits> waits, Optional<Start> start,
        Group group, List<Ahead> ahead, Step step, Live live, Said said) {

    /// One result.
    record Answer(ToolResult result, Instant at) {}

    /// A call that finishes later.
    ///
    /// @param heardAt when something was last heard of the work
    /// @param endedAt when the fleet took note of its end, whose result may be under way; null while it is open
    record Waits(PendingCall pending, Instant heardAt, @Nullable Instant endedAt) {}

    /// A handler that was about to start.
    ///
    /// @param alive whether the process that starts it is still in the group
    record Start(CallIntent intent, boolean alive) {}

    /// Group of the workers.
    ///
    /// @param members how many there are
    /// @param owner the worker that has the call's partition; empty when no worker has
    /// @param done whether the group has committed that the call's record is finished
    record Group(String id, int members, Optional<String> owner, boolean done) {}

    /// A call before it.
    ///
    /// @param start of its handler
    record Ahead(RecordedCall call, Optional<Start> start) {}

    /// A call's step.
    ///
    /// @param catalogAt when a catalog was published that names the step; empty when there is none
    /// @param announced where the runtime announced it; empty when it has not
    record Step(Optional<Instant> catalogAt, Optional<Announced> announced) {}

    /// @param partition of `agent.step`
    record Announced(int partition, Instant at) {}

    /// @param calls queued or running calls of the instance
    /// @param held partitions that workers do not read
    /// @param answered by which workers
    /// @param note why the owner of the call's partition could not be asked; null when it answered
    record Live(List<LiveCall> calls, List<Held> held, Set<String> answered, @Nullable String note) {
        static Live unasked(String why) {
            return new Live(List.of(), List.of(), Set.of(), why);
        }

        Optional<LiveCall> of(RecordedCall call) {
            return calls.stream().filter(each -> call.isAt(each.partition(), each.offset())).findFirst();
        }
    }

    /// A partition that a worker has and does not read.
    ///
    /// @param reasons in the words of `toolfleet.partitions.held`
    record Held(String worker, int partition, List<String> reasons) {
        boolean isQuarantined() {
            return reasons.contains("quarantined");
        }
    }

    /// A call in a worker.
    ///
    /// @param offset on `tool.call`
    /// @param stage in the worker's words
    /// @param since when that began; null for one that is queued
    /// @param skipped whether its lane has gone on past it
    /// @param host process that runs its handler, such as `acme (node), process 4711`; null if the worker itself does
    record LiveCall(String worker, int partition, long offset, String id, String tool, String stage,
            @Nullable Instant since, int attempt, boolean skipped, @Nullable String host) {
        static final String QUEUED = "queued";

        boolean isQueued() {
            return stage.equals(QUEUED);
        }
    }

    /// Interventions of people and of the fleet.
    ///
    /// @param resumedAt when it was written to `tool.call.resumed` as an approved call
    /// @param deadLetter why its record was given up
    /// @param rulings that denied it or required approval, in their order
    record Said(Optional<Decided> decision, Optional<Instant> resumedAt, Optional<Cancelled> cancelled,
            Optional<Ordered> ordered, Optional<String> deadLetter, List<AuditedRuling> rulings) {
        static final Said NOTHING = new Said(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), List.of());

        /// True if its instance had labels when a rule decided about it.
        boolean hadLabels() {
            return rulings.stream().anyMatch(ruling -> !ruling.labels().isEmpty());
        }
    }

    /// A policy's decision other than an allow, as it was audited.
    record AuditedRuling(AuditEvent event, Instant at) {
        static final String DENIED = "denied";
        static final String ASKED = "approval-requested";

        /// Labels that the instance had, with the calls that added them.
        List<AddedLabel> labels() {
            return Objects.requireNonNullElse(event.labels(), List.of());
        }
    }

    record Decided(Decision decision, Instant at) {}

    record Cancelled(CancelCall cancel, Instant at) {}

    record Ordered(LaneOrder order, Instant at) {}

    /// True if the owner of the call's partition answered over HTTP.
    boolean ownerAnswered() {
        return group.owner().filter(live.answered()::contains).isPresent();
    }

    /// The call's partition, if its owner does not read it.
    Optional<Held> held() {
        return live.held().stream().filter(
                each -> each.partition() == call.partition() && group.owner().filter(each.worker()::equals).isPresent())
                .findFirst();
    }

    Optional<Answer> last() {
        return answers.stream().filter(answer -> answer.result().isFinal()).reduce((_, newer) -> newer);
    }
}
