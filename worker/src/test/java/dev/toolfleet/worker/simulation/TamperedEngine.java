package dev.toolfleet.worker.simulation;

import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.poll.PollListener;
import dev.toolfleet.worker.poll.ResumedLoop;

/// An engine with a planted bug: its transactions never learn that an assignment has ended.
final class TamperedEngine extends ForwardingEngine {
    private final Lanes lanes;
    private final RunningHandlers handlers;
    private final PartitionStates states;
    private final ResumedLoop resumed;

    TamperedEngine(PollListener engine, Lanes lanes, RunningHandlers handlers, PartitionStates states,
            ResumedLoop resumed) {
        super(engine);
        this.lanes = lanes;
        this.handlers = handlers;
        this.states = states;
        this.resumed = resumed;
    }

    @Override
    public void closed(int partition, long epoch, boolean lost) {
        lanes.drop(partition, epoch);
        if (lost) {
            handlers.lose(partition, epoch);
        } else {
            handlers.revoke(partition, epoch);
        }
        resumed.closed(partition, epoch);
        states.closed(partition, epoch);
    }
}
