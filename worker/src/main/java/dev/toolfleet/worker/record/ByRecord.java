package dev.toolfleet.worker.record;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallRun;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import tools.jackson.databind.node.JsonNodeFactory;

/// Calls that are answered under the name of their record, since their own is taken or cannot be made.
final class ByRecord {
    private ByRecord() {}

    /// A call whose identity is another's.
    static CallRun alone(CallRun run) {
        Arrival.Call arrival = run.call().arrival();
        CallRun alone = new CallRun(
                new IdentifiedCall(arrival, identity(arrival.position()), run.call().fingerprint()), run.startedAt());
        alone.traced(run.trace());
        return alone;
    }

    /// Without looking into its arguments.
    ///
    /// @param at the record that is finished with it
    static CallRun unidentified(Arrival.Call arrival, Position at, long now) {
        return new CallRun(new IdentifiedCall(arrival, identity(arrival.position()),
                Fingerprint.of(arrival.call().name(), JsonNodeFactory.instance.objectNode())), at, now);
    }

    private static CallIdentity identity(Position position) {
        return CallIdentity.ofRecord(position.partition(), position.offset());
    }
}
