package dev.toolfleet.worker.registry;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Modules that load and close when their test lets them, by the class that their entry names.
final class GatedCode implements ModuleLoader {
    private final Map<String, CountDownLatch> loads = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> closings = new ConcurrentHashMap<>();
    private final Map<String, RuntimeException> failures = new ConcurrentHashMap<>();
    final List<String> made = new CopyOnWriteArrayList<>();
    final List<String> closed = new CopyOnWriteArrayList<>();
    final List<String> interrupted = new CopyOnWriteArrayList<>();

    /// Modules of this class hang as they load, until they are let go.
    void hang(String className) {
        loads.put(className, new CountDownLatch(1));
    }

    /// Modules of this class hang as they close.
    void hangClosing(String className) {
        closings.put(className, new CountDownLatch(1));
    }

    void fail(String className, RuntimeException why) {
        failures.put(className, why);
    }

    void letGo(String className) {
        failures.remove(className);
        for (Map<String, CountDownLatch> gates : List.of(loads, closings)) {
            CountDownLatch gate = gates.remove(className);
            if (gate != null)
                gate.countDown();
        }
    }

    private void loading(String className) {
        made.add(className);
        RuntimeException failure = failures.get(className);
        if (failure != null)
            throw failure;
        pass(loads.get(className), className);
    }

    /// Ignores interrupts, as code does that hangs for good.
    private void pass(@Nullable CountDownLatch gate, String className) {
        while (gate != null) {
            try {
                gate.await();
                return;
            } catch (InterruptedException e) {
                interrupted.add(className);
            }
        }
    }

    private void closing(String className) {
        pass(closings.get(className), className);
        closed.add(className);
    }

    @Override
    public ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files) {
        String name = ((EntryKind.JavaClass) spec.entryKind()).className();
        return new ToolModule() {
            @Override
            public void configure(ObjectNode config) {
                loading(name);
            }

            @Override
            public Map<String, ToolHandler> handlers() {
                return Map.of("run", (ctx, input) -> null);
            }

            @Override
            public void close() {
                closing(name);
            }
        };
    }

    @Override
    public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
        String name = ((EntryKind.JavaClass) entry).className();
        return new ExtensionModule() {
            @Override
            public void register(ExtensionRegistrar registrar, ObjectNode config) {
                registrar.toolCall(0, (ctx, next) -> next.proceed());
                registrar.tools().publish(
                        ToolDeclaration.of("sky__look", name, Json.MAPPER.createObjectNode()).readOnly(),
                        (ctx, input) -> null);
                loading(name);
            }

            @Override
            public void close() {
                closing(name);
            }
        };
    }
}
