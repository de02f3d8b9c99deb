package dev.toolfleet.mcp.server;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Request at work: its messages, its progress and its cancellation.
///
/// **Threads.** Any. Actions of a cancellation run on the thread that cancels, and never twice.
final class RequestControl implements CallControl {
    private static final double STEP = 0.001;

    private final MessageBox box = new MessageBox();
    private final @Nullable JsonNode token;
    private final List<Runnable> actions = new ArrayList<>();
    private boolean cancelled;
    private volatile boolean wanted = true;
    private double last = Double.NEGATIVE_INFINITY;
    private @Nullable Double total;

    private RequestControl(@Nullable JsonNode token) {
        this.token = token;
    }

    static RequestControl of(RpcMessage.Request request) {
        JsonNode given = request.params().path(Meta.FIELD).path(Meta.PROGRESS_TOKEN);
        return new RequestControl(given.isString() || given.isIntegralNumber() ? given : null);
    }

    /// Returns the control of a stream that only listens, and makes no progress.
    static RequestControl ofListener() {
        return new RequestControl(null);
    }

    MessageBox box() {
        return box;
    }

    boolean wantsProgress() {
        return token != null;
    }

    /// Reports progress. The lock is held until the message is in the box: otherwise a lower number overtakes a higher.
    @Override
    public synchronized void progress(double progress, @Nullable Double end, String message) {
        JsonNode to = token;
        if (to == null)
            return;
        last = progress > last ? progress : Math.max(last + STEP, Math.nextUp(last));
        total = end;
        ObjectNode params = McpJson.object();
        params.set(Meta.PROGRESS_TOKEN, to);
        params.put("progress", last);
        if (end != null && end >= last)
            params.put("total", end);
        if (!message.isEmpty())
            params.put("message", message);
        box.put(Methods.PROGRESS, new RpcMessage.Notification(Methods.PROGRESS, params));
    }

    /// Reports that the work goes on: timers of clients begin anew at progress only.
    synchronized void tick() {
        progress(last == Double.NEGATIVE_INFINITY ? 0 : last, total, "");
    }

    @Override
    public boolean isWanted() {
        return wanted;
    }

    @Override
    public void onCancel(Runnable action) {
        synchronized (this) {
            if (!cancelled) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }

    /// Takes the wish of the client that the work ends.
    void cancel() {
        List<Runnable> all;
        synchronized (this) {
            if (cancelled)
                return;
            cancelled = true;
            wanted = false;
            all = List.copyOf(actions);
        }
        all.forEach(Runnable::run);
    }

    /// Learns that the client has gone.
    void leave() {
        wanted = false;
    }
}
