package dev.toolfleet.worker.policy;

import java.util.List;

import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.registry.CatalogTool;

/// Gate that decides by policy whether a call goes on. Called before the arguments are checked: a caller that may not
/// call a tool learns nothing of its schema.
@FunctionalInterface
public interface PolicyGate {
    /// Lets every call pass.
    PolicyGate OPEN = (call, tool, labels) -> new Ruling.Allowed(Ruling.Basis.NONE);

    /// Rules on a call, under the policy of this moment. Never throws: a policy that fails denies.
    ///
    /// @param call as the middlewares left it
    /// @param tool as its catalog showed it
    /// @param labels of the call's instance
    Ruling rule(ToolCall call, CatalogTool tool, List<AddedLabel> labels);

    /// True if labels that are not among these could change the ruling. Never throws.
    default boolean dependsOnMore(ToolCall call, CatalogTool tool, List<AddedLabel> labels) {
        return false;
    }
}
