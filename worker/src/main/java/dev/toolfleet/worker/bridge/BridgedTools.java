package dev.toolfleet.worker.bridge;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.mcp.client.ServerDescription;
import dev.toolfleet.mcp.client.ToolList;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.middleware.ToolPublisher;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tools of one server in one use of the extension: follows the server's list, and publishes what may be used of it.
///
/// **Contract.** A definition that differs from the pinned one, or else from the first one that this worker saw, is
/// withheld until it is approved, unless the settings accept changes. Each tool that is left out is logged once with
/// the reason.
///
/// **Threads.** Any.
final class BridgedTools implements ServerLink.User {
    private static final Logger LOG = LoggerFactory.getLogger(BridgedTools.class);
    private static final int MOST_LOGGED = 1_000;

    private final ServerSettings settings;
    private final ServerLink link;
    private final FirstDefinitions definitions;
    private final ToolPublisher publisher;
    private final Path workspace;
    private final @Nullable InstanceServers instances;
    private final Map<String, ToolDeclaration> published = new HashMap<>();
    private final Set<String> logged = new HashSet<>();
    private int withheld;

    BridgedTools(ServerSettings settings, ServerLink link, FirstDefinitions definitions, ToolPublisher publisher,
            Path workspace, @Nullable InstanceServers instances) {
        this.settings = settings;
        this.link = link;
        this.definitions = definitions;
        this.publisher = publisher;
        this.workspace = workspace;
        this.instances = instances;
    }

    @Override
    public synchronized void listed(ServerLink.Listing listing) {
        ToolList list = listing.tools();
        Map<String, ToolDefinition> usable = new HashMap<>();
        withheld = 0;
        for (ToolChoice choice : ToolChoice.of(list, settings,
                (tool, digest) -> definitions.first(settings.connection(), tool, digest))) {
            if (choice.verdict() == ToolChoice.Verdict.PUBLISHED && choice.definition() != null)
                usable.put(choice.name(), choice.definition());
            else if (!choice.reason().isEmpty())
                leaveOut(choice.tool(), choice.reason());
            if (choice.verdict() == ToolChoice.Verdict.WITHHELD)
                withheld++;
        }
        if (usable.isEmpty())
            leaveOut("*", "the server lists " + list.tools().size() + " tools, and none of them may be used");
        for (String name : Set.copyOf(published.keySet())) {
            if (!usable.containsKey(name))
                withdraw(name);
        }
        usable.forEach((name, tool) -> publish(name, tool, mayBeTask(listing.server(), tool)));
    }

    /// A server of 2026-07-28 decides with each call. One of 2025-11-25 is asked for a task only if the tool requires it:
    /// where it is free, an answer costs less than a task and its polls. A process of one instance may have ended before the
    /// poll, and a poll acts for no person.
    private boolean mayBeTask(ServerDescription server, ToolDefinition tool) {
        return server.hasTasks() && instances == null && settings.auth().isEmpty()
                && (server.revision().isModern() || tool.requiresLegacyTask());
    }

    private void publish(String name, ToolDefinition tool, boolean mayBeTask) {
        TranslatedTool translated = TranslatedTool.of(tool, settings, mayBeTask);
        translated.notice().ifPresent(notice -> logOnce(tool.name(), notice, "definition of MCP tool read in part"));
        ToolDeclaration declaration = translated.declaration();
        if (declaration.equals(published.put(name, declaration)))
            return;
        boolean repeatable = declaration.export().path("annotations").path("readOnly").booleanValue(false)
                || declaration.export().path("annotations").path("idempotent").booleanValue(false);
        publisher.publish(declaration, new BridgedModule(name.substring(settings.name().length() + 2),
                new BridgedCall(link, settings.name(), tool.name(), repeatable, mayBeTask,
                        new BlockFiles(settings.name(), workspace, settings.mostInline()), instances,
                        settings.auth().map(auth -> new UserTokens(settings.name())).orElse(null))));
    }

    private void withdraw(String name) {
        published.remove(name);
        publisher.remove(name);
    }

    private void leaveOut(String tool, String reason) {
        logOnce(tool, reason, "MCP tool left out");
    }

    private void logOnce(String tool, String reason, String event) {
        if (logged.size() < MOST_LOGGED && logged.add(tool + ": " + reason)) {
            LOG.atWarn().addKeyValue(BridgeLogKeys.SERVER, settings.name()).addKeyValue(LogKeys.TOOL, tool)
                    .addKeyValue(LogKeys.REASON, reason).log(event);
        }
    }

    @Override
    public synchronized void gone() {
        Set.copyOf(published.keySet()).forEach(this::withdraw);
    }

    @Override
    public synchronized int withheld() {
        return withheld;
    }
}
