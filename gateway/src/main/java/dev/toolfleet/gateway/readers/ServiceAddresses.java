package dev.toolfleet.gateway.readers;

import java.util.Optional;

/// Addresses of the services whose views a gateway shows.
///
/// @param catalogs of the catalog services; empty when it shows no catalogs of newest steps, and no prompts
/// @param sessions of the session services; empty when it shows no sessions
public record ServiceAddresses(Optional<ServiceAddress> catalogs, Optional<ServiceAddress> sessions) {
    /// No service.
    public static final ServiceAddresses NONE = new ServiceAddresses(Optional.empty(), Optional.empty());

    /// Returns these addresses, and the other ones for those that are absent.
    public ServiceAddresses or(ServiceAddresses usual) {
        return new ServiceAddresses(catalogs.or(usual::catalogs), sessions.or(usual::sessions));
    }
}
