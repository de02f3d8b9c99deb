package dev.toolfleet.worker.simulation;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.lane.LaneSlot;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.pipeline.Answers;
import dev.toolfleet.worker.pipeline.JournalRecords;
import dev.toolfleet.worker.pipeline.Outcomes;
import dev.toolfleet.worker.pipeline.RecordWriter;
import dev.toolfleet.worker.pipeline.ResultRecords;
import dev.toolfleet.worker.pipeline.SideRecords;
import dev.toolfleet.worker.simulation.SimCall.Kind;
import tools.jackson.databind.node.JsonNodeFactory;

/// Runs calls as the pipeline and the executor of handlers do, with handlers that only take time.
final class SimCalls implements Lanes.CallRunner {
    private final Fibers fibers;
    private final Random random;
    private final Fibers.Program program;
    private final History history;
    private final String worker;
    private final Ownership ownership;
    private final Consumer<Outcome> publisher;
    private final Answers answers;
    private final SimMember member;
    private final Set<History.Assignment> closed = new HashSet<>();
    private boolean stopped;

    SimCalls(World world, Fibers.Program program, String worker, Ownership ownership, Consumer<Outcome> publisher,
            SimMember member) {
        this.member = member;
        this.fibers = world.fibers;
        this.random = world.random;
        this.program = program;
        this.history = world.history;
        this.worker = worker;
        this.ownership = ownership;
        this.publisher = publisher;
        RecordWriter writer = new RecordWriter(new Topics(""), worker, world::instant);
        ResultRecords results = new ResultRecords(writer, world::instant, 1_000_000);
        this.answers = new Answers(
                new Outcomes(results, new SideRecords(writer, results, world::instant), new JournalRecords(writer),
                        world::instant, ""));
    }

    @Override
    public void run(LaneSlot slot) {
        switch (slot.arrival()) {
            case Arrival.Malformed malformed -> publish(slot, answers.malformed(malformed));
            case Arrival.Call call -> run(slot, IdentifiedCall.of(call));
        }
    }

    private void run(LaneSlot slot, IdentifiedCall call) {
        Position position = call.arrival().position();
        fibers.pause();
        if (stopped || !ownership.current().owns(position)) {
            slot.release();
            return;
        }
        long startedAt = fibers.now();
        String membership = member.id();
        History.Start start = history.started(worker, program, position, member.isStill(membership));
        boolean interrupted = fibers.await(() -> stopped || isClosed(position), handlerMillis());
        history.ended(start, interrupted, member.isStill(membership));
        if (!interrupted) {
            publish(slot, answers.of(call, startedAt,
                    new ToolReply.Ok(JsonNodeFactory.instance.numberNode(position.offset()))));
        } else if (isClosed(position) || start.call.kind() != Kind.ONCE) {
            slot.release();
        } else {
            publish(slot, answers.of(call, startedAt,
                    new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_OUTCOME_UNKNOWN, "stopped"))));
        }
    }

    private long handlerMillis() {
        int dice = random.nextInt(20);
        return dice == 0 ? random.nextInt(9_000) : dice < 4 ? random.nextInt(800) : random.nextInt(30);
    }

    private void publish(LaneSlot slot, Outcome outcome) {
        history.finished(worker, slot.arrival().position());
        publisher.accept(outcome);
        slot.release();
    }

    private boolean isClosed(Position position) {
        return closed.contains(new History.Assignment(worker, position.partition(), position.epoch()));
    }

    /// Interrupts what runs of an assignment that has ended.
    void close(int partition, long epoch) {
        closed.add(new History.Assignment(worker, partition, epoch));
    }

    /// Interrupts whatever runs, because the worker stops.
    void stop() {
        stopped = true;
    }
}
