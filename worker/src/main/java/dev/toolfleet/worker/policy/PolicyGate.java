package dev.toolfleet.worker.policy;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.registry.CatalogTool;
import org.jspecify.annotations.Nullable;

/// Whether policy lets a call through. Asked before the arguments are checked: who may not call a tool learns nothing
/// of its schema.
@FunctionalInterface
public interface PolicyGate {
    /// Lets every call through.
    PolicyGate OPEN = (call, tool) -> null;

    /// Why the call is refused; null when it is not.
    @Nullable
    ToolError refusal(ToolCall call, CatalogTool tool);
}
