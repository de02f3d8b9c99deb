package dev.toolfleet.worker.poll;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;

import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.override.PendingCancels;
import dev.toolfleet.worker.pipeline.PendingCallResults;
import dev.toolfleet.worker.record.JournalRecords;
import dev.toolfleet.worker.recovery.OwnerJournal;
import dev.toolfleet.worker.telemetry.WorkerMeters;

/// The loops over a worker's partitions: heartbeats, take-overs, calls, outcomes of pending calls, and transactions.
public final class PartitionLoops {
    private final Membership membership;
    private final Lanes lanes;
    private final TakeOverPool takeOvers;
    private final RecordedPartitions recorded;
    private final ResumedLoop resumed;
    private final PollLoop poll;
    private final LogWatch logs;
    private final DuplicateName name;

    /// Settings of partitions.
    ///
    /// @param recorded number of partitions that the fleet was created with
    /// @param dedupe how long answers are remembered
    /// @param maxInFlight most calls that are in flight
    public record Setup(int recorded, DedupeConfig dedupe, int maxInFlight) {}

    /// Parts to which the loops bring calls.
    ///
    /// @param pending ends calls that finished elsewhere
    /// @param cancels cancels handles of cancelled calls
    public record Engine(Lanes lanes, RunningHandlers handlers, PendingCallResults pending, PendingCancels cancels) {}

    /// Makes the loops, none of them started.
    ///
    /// @param followed follows the topics of assigned partitions
    public PartitionLoops(Membership membership, PartitionTopics followed, Setup setup, Engine engine,
            JournalRecords records, InstantSource clock) {
        this.membership = membership;
        this.lanes = engine.lanes();
        PollLink link = membership.link;
        Incarnations present = membership.incarnations();
        takeOvers = new TakeOverPool(new TakeOver(
                new KafkaSources(membership.topics, membership.offsets, present::now, membership.ends(),
                        membership.scan, membership.follower(), membership.dead::fence, membership.members::hasLeft),
                setup.dedupe(), records::frontier, System::nanoTime), followed::assigned, link, setup.recorded());
        recorded = new RecordedPartitions(membership.callTopic(), setup.recorded(), takeOvers, link, membership.watch);
        resumed = membership.resumed(new ResumedCalls(membership.transactions(), engine.pending(), membership.states,
                engine.lanes(), engine.handlers()::isDraining));
        Intake intake = new Intake(lanes, membership.transactions(), engine.handlers(), membership.states,
                followed, resumed, engine.cancels(), new OwnerJournal(membership.notes(), records,
                        membership.ownership(), setup.maxInFlight(), clock),
                membership.watch);
        poll = new PollLoop(PollConfig.of(membership.callTopic()), membership.member, membership.ownership(), intake,
                recorded);
        name = DuplicateName.of(membership.self, membership.dead::look, membership.ownership(), poll::fail);
        link.connect(poll, resumed, name::fenced);
        logs = new LogWatch(present::now, poll::logs);
    }

    /// Makes the watch over the load of the partitions.
    ///
    /// @param waiting counts the calls that wait for a slot or the rate of their tool
    public LoadWatch load(IntSupplier waiting, WorkerMeters meters, InstantSource clock) {
        return new LoadWatch(new WatchedWorker(membership.callTopic(), lanes, poll, waiting, membership.states,
                membership.ends()), membership.watch, meters, clock, System::nanoTime);
    }

    /// Refuses to start beside another worker of the same name.
    ///
    /// @throws IllegalStateException when another worker has this name
    public void refuseTakenName() {
        name.refuseIfTaken();
    }

    /// Starts the loops; the topics that the whole worker needs were read before.
    public void start() {
        membership.transactions().start();
        membership.heartbeats.start();
        resumed.start();
        poll.start();
        logs.start();
    }

    /// Takes no more calls; calls that run go on.
    public void drain() {
        poll.drain();
    }

    /// True while no more calls are taken.
    public boolean isDraining() {
        return poll.isDraining();
    }

    /// Completes when the poll loop has ended; exceptionally when it broke.
    public CompletableFuture<Void> ended() {
        return poll.ended();
    }

    /// Ends the worker with an error.
    public void fail(Throwable cause) {
        poll.fail(cause);
    }

    /// Returns the state of the partitions.
    public OwnershipCounts partitions() {
        return poll.partitions();
    }

    /// Returns a sentence for each partition beyond those that the fleet was created with.
    public List<String> unexpected() {
        return recorded.reasons();
    }

    /// Leaves the group, which commits finished calls.
    public void leave() {
        logs.close();
        poll.close();
        membership.heartbeats.close();
    }

    /// Ends the loops that served the poll loop, the transaction loop last.
    public void close() {
        takeOvers.close();
        resumed.close();
        membership.transactions().close();
    }
}
