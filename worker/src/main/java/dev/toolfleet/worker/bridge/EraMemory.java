package dev.toolfleet.worker.bridge;

import java.io.IOException;

import dev.toolfleet.mcp.client.EraChoice;
import dev.toolfleet.mcp.client.McpException;

/// Era in which a server was opened last. A server that cannot be opened in it is probed the next time: it may have
/// been updated. For one thread.
final class EraMemory {
    private EraChoice era = EraChoice.PROBE;

    /// One opening.
    @FunctionalInterface
    interface Opening {
        OpenServer in(EraChoice era) throws IOException, McpException, InterruptedException;
    }

    OpenServer open(Opening opening) throws IOException, McpException, InterruptedException {
        EraChoice tried = era;
        era = EraChoice.PROBE;
        OpenServer opened = opening.in(tried);
        era = opened.client().server().era();
        return opened;
    }
}
