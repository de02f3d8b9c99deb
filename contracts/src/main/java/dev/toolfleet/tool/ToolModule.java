package dev.toolfleet.tool;

import java.util.Map;

import tools.jackson.databind.node.ObjectNode;

/// The code behind a Tool: one handler per export. A worker makes one module per Tool with its no-argument constructor,
/// calls [#configure] once, then [#handlers], and [#close] when the bundle is replaced or the worker stops.
public interface ToolModule extends AutoCloseable {

    /// Receives `spec.config` of the Tool, an empty object when it has none. Throw to refuse it: the worker then
    /// reports the Tool as broken and does not become ready.
    default void configure(ObjectNode config) {}

    /// The handlers by export name; every declared export needs one. Asked once.
    Map<String, ToolHandler> handlers();

    /// Frees what the module holds. Running handlers have ended or were interrupted before.
    @Override
    default void close() {}
}
