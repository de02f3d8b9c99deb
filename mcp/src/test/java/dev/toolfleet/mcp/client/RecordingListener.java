package dev.toolfleet.mcp.client;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Listener that keeps what it is given.
final class RecordingListener implements ServerListener {
    final AtomicInteger changes = new AtomicInteger();
    final List<String> closed = new CopyOnWriteArrayList<>();

    @Override
    public void toolsChanged() {
        changes.incrementAndGet();
    }

    @Override
    public void closed(String reason) {
        closed.add(reason);
    }
}
