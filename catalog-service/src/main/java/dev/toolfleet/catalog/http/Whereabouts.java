package dev.toolfleet.catalog.http;

import java.util.List;

import dev.toolfleet.http.HostPort;
import dev.toolfleet.wire.StepCatalog;

/// Where the newest step of an instance's agent is, as far as this service can tell by itself.
public sealed interface Whereabouts {
    /// This service has it.
    record Here(StepCatalog step) implements Whereabouts {}

    /// This service has not; one of these may.
    ///
    /// @param peers the other services that own partitions
    /// @param nobodys partitions of which no service that can be asked says that it owns them
    record NotHere(List<HostPort> peers, List<Integer> nobodys) implements Whereabouts {
        /// Copies the lists.
        public NotHere {
            peers = List.copyOf(peers);
            nobodys = List.copyOf(nobodys);
        }
    }

    /// This service cannot tell now.
    ///
    /// @param reason a clause
    record Unclear(String reason) implements Whereabouts {}
}
