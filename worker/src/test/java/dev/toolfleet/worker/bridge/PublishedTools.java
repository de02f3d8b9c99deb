package dev.toolfleet.worker.bridge;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolCallMiddleware;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.middleware.ToolPublisher;
import dev.toolfleet.resources.RegisteredTools;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;

import static java.util.Objects.requireNonNull;

/// Registrar of a test that keeps what is published, and leaves out what a worker would leave out.
final class PublishedTools implements ExtensionRegistrar {
    private final Map<String, Published> tools = new ConcurrentHashMap<>();
    private final Map<String, String> leftOut = new ConcurrentHashMap<>();
    private final boolean runsTools;

    PublishedTools(boolean runsTools) {
        this.runsTools = runsTools;
    }

    /// Tool that was published.
    record Published(ToolDeclaration declaration, ToolModule module, ToolHandler handler) {}

    @Override
    public boolean runsTools() {
        return runsTools;
    }

    @Override
    public void toolCall(int priority, ToolCallMiddleware middleware) {
        throw new UnsupportedOperationException("the bridge has no layers");
    }

    @Override
    public ToolPublisher mcpTools(String server) {
        RegistrationOwner owner = RegistrationOwner.extension("acme", "coder", "mcp").server(server);
        return new ToolPublisher() {
            @Override
            public void publish(ToolDeclaration declaration, ToolHandler handler) {
                String export = declaration.name().substring(declaration.name().indexOf("__") + 2);
                publish(declaration, () -> Map.of(export, handler));
            }

            @Override
            public void publish(ToolDeclaration declaration, ToolModule module) {
                Optional<String> problem = RegisteredTools.problem(owner, declaration);
                if (problem.isPresent()) {
                    leftOut.put(declaration.name(), problem.get());
                    return;
                }
                ToolHandler handler = module.handlers().values().iterator().next();
                tools.put(declaration.name(), new Published(declaration, module, handler));
            }

            @Override
            public void remove(String name) {
                tools.remove(name);
            }
        };
    }

    Map<String, Published> published() {
        return new TreeMap<>(tools);
    }

    Map<String, String> leftOut() {
        return leftOut;
    }

    Published tool(String name) {
        return requireNonNull(tools.get(name), () -> name + " is not among " + tools.keySet());
    }
}
