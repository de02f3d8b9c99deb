package dev.toolfleet.client.access;

import java.util.List;

import org.apache.kafka.common.acl.AclBinding;

/// Outcome of [FleetAcls#grant].
///
/// @param created ACLs that are new
/// @param existing ACLs that were there and were left alone
public record AclsReport(List<AclBinding> created, List<AclBinding> existing) {
    /// Keeps its own copies.
    public AclsReport {
        created = List.copyOf(created);
        existing = List.copyOf(existing);
    }
}
