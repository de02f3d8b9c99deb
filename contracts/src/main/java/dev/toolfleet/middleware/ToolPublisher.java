package dev.toolfleet.middleware;

import dev.toolfleet.tool.ToolHandler;

/// Takes the tools that an extension offers while it runs: found by asking another system, say, and not written in any
/// bundle. Thread-safe; an extension may use it at any time until it is closed, and what it says later counts for
/// nothing.
///
/// Every worker runs every extension, so each of them has the handlers; what a model is shown is what one worker, the
/// owner of partition 0, has been told. An extension therefore publishes the same tools in every worker. A tool becomes
/// visible with the next step of the agent that lists the extension.
public interface ToolPublisher {
    /// Offers a tool, in place of what this publisher offered under its name before. Never throws for what is declared: a
    /// tool that cannot be offered, because of its name, its shape or its size, is left out, and the worker reports why.
    void publish(ToolDeclaration declaration, ToolHandler handler);

    /// Offers the tool of that name no longer. Running calls of it finish. Nothing happens if it was not offered.
    void remove(String name);

    /// Whatever is published there is offered to nobody: in processes that run no tools.
    ToolPublisher NOWHERE = new ToolPublisher() {
        @Override
        public void publish(ToolDeclaration declaration, ToolHandler handler) {}

        @Override
        public void remove(String name) {}
    };
}
