package dev.toolfleet.catalog.http;

import java.util.List;

import dev.toolfleet.http.HostPort;
import dev.toolfleet.wire.StepCatalog;

/// Place of the newest step of an instance's agent, as far as this service knows it.
public sealed interface Whereabouts {
    /// This service has it.
    record Here(StepCatalog step) implements Whereabouts {}

    /// This service does not have it; one of these may.
    ///
    /// @param peers the other services that own partitions
    /// @param unowned partitions without an owner that can be queried
    record NotHere(List<HostPort> peers, List<Integer> unowned) implements Whereabouts {
        /// Copies the lists.
        public NotHere {
            peers = List.copyOf(peers);
            unowned = List.copyOf(unowned);
        }
    }

    /// This service cannot decide now.
    ///
    /// @param reason a clause
    record Unclear(String reason) implements Whereabouts {}
}
