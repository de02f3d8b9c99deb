package dev.toolfleet.worker.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.simulation.SimCall.Death;
import org.jspecify.annotations.Nullable;

/// Handler of a tool for one call: an effect outside, at once, and then some time.
final class SimHandler {
    static final String REFUSED = "E_REFUSED";
    /// No thread needs so long to hear its interrupt.
    private static final long UNINTERRUPTED_MILLIS = 500;

    private final World world;
    private final String worker;
    private final SimMember member;
    private final Position position;
    private final String id;
    private final SimControl control;
    private final Runnable kill;
    private List<AddedLabel> labels = List.of();

    /// @param position of the call
    /// @param id the model's
    /// @param control knows which cancellations the worker has heard
    /// @param kill ends the process
    SimHandler(World world, String worker, SimMember member, Position position, String id, SimControl control,
            Runnable kill) {
        this.id = id;
        this.control = control;
        this.kill = kill;
        this.world = world;
        this.worker = worker;
        this.member = member;
        this.position = position;
    }

    /// The process dies here if this is the place where the call kills it.
    void passes(Death at) {
        SimCall call = world.history.call(position, id);
        if (!world.hazards.poison || call == null || call.death() != at)
            return;
        world.history.kills(call, new History.Assignment(worker, position.partition(), position.epoch()));
        kill.run();
        world.fibers.pause();
    }

    /// The call was ruled, with these labels of its instance.
    void ruledWith(List<AddedLabel> all) {
        labels = all;
    }

    /// Now and then an answer that no broker of this world takes.
    Object run(ToolContext context) throws InterruptedException, ToolException {
        String membership = member.id();
        History.Start start = world.history.started(worker, position, id, member.isStill(membership));
        if (control.heardAt(start.call) <= world.fibers.now())
            world.history.broken("cancel started: " + start + " although its worker knows that it is cancelled");
        if (start.call.kind().isJournaled() && !world.isNoted(start.call))
            world.history.broken("G3 unnoted: " + start + " without an intent");
        if (!start.lostMembership && world.waits(start.call))
            world.history.broken("G1 waits: " + start + " although its handle is open");
        if (!start.lostMembership && labels.isEmpty() && world.labels.mustHave(start.call))
            world.history.broken("labels: " + start + " was ruled without the label of a result before it");
        String unapproved = ApprovalChecks.unapproved(world, start.call);
        if (unapproved != null)
            world.history.broken("G3 unapproved: " + start + ": " + unapproved);
        passes(Death.HANDLER_BEFORE);
        if (start.call.canTell() && !world.outside.mayHappen(context.idempotencyKey(), context.attempt())) {
            world.history.ended(start, member.isStill(membership));
            throw new ToolException(REFUSED, "too late");
        }
        world.outside.happens(context.idempotencyKey());
        passes(Death.HANDLER_AFTER);
        try {
            world.fibers.sleepOrThrow(millis(world.random));
        } catch (InterruptedException e) {
            start.interrupted = true;
            throw e;
        } finally {
            world.history.ended(start, member.isStill(membership));
            if (!start.interrupted && start.end - control.heardAt(start.call) > UNINTERRUPTED_MILLIS)
                world.history.broken("cancel ran on: " + start + " ran on although it was cancelled");
        }
        return answer(start.call, context.attempt());
    }

    /// For how long work that goes on elsewhere may be silent; null for as long as it likes.
    private @Nullable Duration silence(SimCall call) {
        return world.hazards.deadlines ? Duration.ofMillis(100 + call.argument() * 37L) : null;
    }

    Reconciliation reconcile(ToolContext context) {
        world.history.add(worker, "asks about " + SimCall.key(position.partition(), position.offset()));
        world.fibers.pause();
        SimCall call = world.history.call(position, id);
        if (call == null || !call.canTell())
            return Reconciliation.unknown();
        return world.outside.hasHappened(context.idempotencyKey())
                ? Reconciliation.happened(answer(call, context.attempt()))
                : world.outside.refuse(context.idempotencyKey(), context.attempt());
    }

    private Object answer(SimCall call, int attempt) {
        Object answer = call.isLarge() ? "x".repeat(SimProducer.MAX_RESULT) : call.offset();
        return call.kind().finishesLater()
                ? new ToolOutput.Pending(call.handle(attempt), answer, silence(call), null)
                : answer;
    }

    private static long millis(Random random) {
        int dice = random.nextInt(20);
        return dice == 0 ? random.nextInt(9_000) : dice < 4 ? random.nextInt(800) : random.nextInt(30);
    }
}
