package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.mcp.protocol.HeaderParameters;
import dev.toolfleet.mcp.protocol.ToolDefinition;

/// Knowledge of a server's tools that calls need: the arguments that headers repeat, and which may become tasks.
///
/// **Threads.** Any.
final class ToolHeaders {
    private final Peer peer;
    private final Era era;
    private final Duration timeout;
    private final Map<String, HeaderParameters> parameters = new ConcurrentHashMap<>();
    private volatile Set<String> tasks = Set.of();

    ToolHeaders(Peer peer, Era era, Duration timeout) {
        this.peer = peer;
        this.era = era;
        this.timeout = timeout;
    }

    ToolList read() throws McpException, InterruptedException {
        ToolList list = new ToolPages(peer, era, timeout).read();
        Set<String> allowing = new HashSet<>();
        parameters.keySet().retainAll(list.tools().stream().map(ToolDefinition::name).toList());
        for (ToolDefinition tool : list.tools()) {
            parameters.put(tool.name(), tool.parameters());
            if (tool.allowsLegacyTask())
                allowing.add(tool.name());
        }
        tasks = allowing;
        return list;
    }

    /// Reads the list again; false if it cannot be read.
    boolean readAgain() throws InterruptedException {
        try {
            read();
            return true;
        } catch (McpException e) {
            return false;
        }
    }

    Map<String, String> headers(ToolRequest request) {
        return parameters.getOrDefault(request.name(), HeaderParameters.NONE).headers(request.arguments());
    }

    /// True if a call of that tool may become a task: a modern server decides itself, a legacy one names its tools.
    boolean allowsTask(String name) {
        return era.server().revision().isModern() || tasks.contains(name);
    }
}
