package dev.toolfleet.worker.record;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import tools.jackson.databind.node.JsonNodeFactory;

/// Calls that are answered under the name of their record, since their own is taken or cannot be made.
final class RecordNamedCalls {
    private RecordNamedCalls() {}

    /// A call whose identity is another's.
    static CallFacts alone(CallFacts run) {
        Arrival.Call arrival = run.call().arrival();
        return run.identified().as(
                new IdentifiedCall(arrival, identity(arrival.position()), run.call().fingerprint()),
                arrival.position(), run.startedAt());
    }

    /// Without looking into its arguments.
    ///
    /// @param at the record that is finished with it
    static Identified unidentified(Arrival.Call arrival, Position at, long now) {
        return Identified.of(new IdentifiedCall(arrival, identity(arrival.position()),
                Fingerprint.of(arrival.call().name(), JsonNodeFactory.instance.objectNode())), at, now);
    }

    private static CallIdentity identity(Position position) {
        return CallIdentity.ofRecord(position.partition(), position.offset());
    }
}
