package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bench.load.CallPlan;
import dev.toolfleet.bench.verdict.CallFact;
import dev.toolfleet.bench.verdict.ClientFact;
import dev.toolfleet.wire.StepCatalog;

/// Source of a run's calls and of their steps.
interface CallSource extends AutoCloseable {
    /// Makes the calls of a plan when they are due, some of them twice, for that long. Returns when all of them are with
    /// the fleet.
    void run(CallPlan plan, Duration duration) throws InterruptedException;

    /// A catalog came.
    void published(StepCatalog catalog);

    /// Returns the first failure to write a call.
    Optional<Exception> problem();

    /// A piece of work that may be interrupted.
    interface Work {
        void run() throws InterruptedException;
    }

    /// Has the topic of calls replaced by another one of its name, while no call is under way.
    void replaceTopic(Work replacement) throws InterruptedException;

    /// Returns the number of topics of calls that were replaced.
    int deletedTopics();

    /// Returns the calls with the records that the source, or a reader of the topic, knows.
    List<CallFact> facts(FactReader reader);

    /// Returns what clients over HTTP got; nothing if there are none.
    List<ClientFact> clients();

    @Override
    void close();
}
