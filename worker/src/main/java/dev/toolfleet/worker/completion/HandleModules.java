package dev.toolfleet.worker.completion;

import java.util.Optional;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolRef;

/// The modules of the tools behind handles, as the topology needs them. Thread-safe.
interface HandleModules {
    /// Returns the schedule for asking an export's module; empty if the module is not to be asked, or the export is not
    /// declared. Does not block.
    Optional<PollSpec> poll(ToolRef tool);

    /// True if the export is declared to access sensitive data; false if it is not declared. Does not block.
    boolean sensitive(ToolRef tool);

    /// Requests the progress of the work from the module. Waits for a module that is being loaded.
    ///
    /// @throws Exception the module's own, or one that reports that the module is not loaded here
    PollAnswer ask(ToolRef tool, PendingWork work) throws Exception;

    /// Informs the module that the work is no longer needed. Waits for a module that is being loaded.
    ///
    /// @throws Exception the module's own, or one that reports that the module is not loaded here
    void cancel(ToolRef tool, PendingWork work) throws Exception;

    /// Returns the part of a call's progress that may be published.
    Progress shown(PendingCall call, Progress progress);
}
