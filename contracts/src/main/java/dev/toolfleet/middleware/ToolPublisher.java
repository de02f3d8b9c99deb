package dev.toolfleet.middleware;

import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;

/// Publisher of an extension's tools while it runs: tools that it found in another system, for example, and that no
/// bundle declares.
///
/// **Contract.** Every worker runs every extension, so each has the handlers. The models see the tools that one worker,
/// the owner of partition 0, has received. So an extension must publish the same tools in every worker. A tool becomes
/// visible with the next step of the agent that lists the extension.
///
/// **Threads.** Thread-safe. An extension may use it at any time until it is closed; later calls are ignored.
public interface ToolPublisher {
    /// Publishes a tool, in place of this publisher's earlier tool of that name. Never throws because of the
    /// declaration: a tool whose name, shape or size is not allowed is left out, and the worker reports the reason.
    void publish(ToolDeclaration declaration, ToolHandler handler);

    /// Publishes a tool with a module behind it, which reconciles its calls, polls and cancels its pending work, and
    /// names its operands. Everything else is as for a handler.
    ///
    /// @param module [ToolModule#handlers] is called at once, and must have the handler of the declared export. Neither
    ///        [ToolModule#configure] nor [ToolModule#close] is called: the extension has made it, and closes it
    void publish(ToolDeclaration declaration, ToolModule module);

    /// Removes the tool of that name. Its running calls finish. Does nothing if it was not published.
    void remove(String name);

    /// Ignores everything: in processes that run no tools.
    ToolPublisher NOWHERE = new ToolPublisher() {
        @Override
        public void publish(ToolDeclaration declaration, ToolHandler handler) {}

        @Override
        public void publish(ToolDeclaration declaration, ToolModule module) {}

        @Override
        public void remove(String name) {}
    };
}
