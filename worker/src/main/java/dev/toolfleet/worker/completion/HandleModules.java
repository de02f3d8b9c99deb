package dev.toolfleet.worker.completion;

import java.util.Optional;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolRef;

/// What the topology needs of the tools behind handles. Thread-safe.
public interface HandleModules {
    /// How an export's module is asked; empty when it is not, or the export is not declared. Does not block.
    Optional<PollSpec> poll(ToolRef tool);

    /// Whether the export says that it accesses sensitive data; false when it is not declared. Does not block.
    boolean sensitive(ToolRef tool);

    /// Asks the module how the work goes. Waits for a module that is being loaded.
    ///
    /// @throws Exception what the module throws, or that it is not loaded here
    PollAnswer ask(ToolRef tool, PendingWork work) throws Exception;

    /// Tells the module that nobody wants the work. Waits for a module that is being loaded.
    ///
    /// @throws Exception what the module throws, or that it is not loaded here
    void cancel(ToolRef tool, PendingWork work) throws Exception;

    /// What may be published of what somebody says about the work of a call.
    Progress shown(PendingCall call, Progress progress);
}
