package dev.toolfleet.middleware;

import tools.jackson.databind.node.ObjectNode;

/// Code of an Extension whose `entry` is Java.
///
/// **Contract.** A worker, and a catalog service, makes one with its no-argument constructor. It calls [#register] once
/// for each agent (or the fleet) that lists the extension, with the configuration for that use.
public interface ExtensionModule extends AutoCloseable {
    /// Adds the extension's layers. Throw to reject the configuration: a worker reports it and does not become ready, a
    /// catalog service reports it and shows the agent no tools.
    ///
    /// @param registrar takes the layers
    /// @param config `spec.config` of the Extension, overlaid with the `config` beside the reference to it
    void register(ExtensionRegistrar registrar, ObjectNode config);

    /// Frees the extension's resources.
    @Override
    default void close() {}
}
