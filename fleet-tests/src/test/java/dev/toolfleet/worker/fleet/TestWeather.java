package dev.toolfleet.worker.fleet;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.middleware.ToolPublisher;
import dev.toolfleet.tool.ToolOutput;
import tools.jackson.databind.node.ObjectNode;

/// An extension that publishes tools. A worker makes the module itself, so what the test wants of it is static.
public final class TestWeather implements ExtensionModule {
    private static final List<TestWeather> LOADED = new CopyOnWriteArrayList<>();
    private static final List<String> PUBLISHED = new CopyOnWriteArrayList<>();

    private ToolPublisher tools = ToolPublisher.NOWHERE;

    /// Lets every worker's extension publish a tool, those that are loaded later too.
    static void publish(String name) {
        PUBLISHED.add(name);
        LOADED.forEach(each -> each.offer(name));
    }

    static void remove(String name) {
        PUBLISHED.remove(name);
        LOADED.forEach(each -> each.tools.remove(name));
    }

    @Override
    public void register(ExtensionRegistrar registrar, ObjectNode config) {
        tools = registrar.tools();
        LOADED.add(this);
        PUBLISHED.forEach(this::offer);
    }

    private void offer(String name) {
        ObjectNode parameters = Json.MAPPER.createObjectNode().put("type", "object");
        tools.publish(ToolDeclaration.of(name, "does " + name, parameters).readOnly(),
                (ctx, input) -> ToolOutput.of(Map.of("by", name)));
    }

    @Override
    public void close() {
        LOADED.remove(this);
    }
}
