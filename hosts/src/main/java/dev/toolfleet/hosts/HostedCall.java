package dev.toolfleet.hosts;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.hosts.HostReply.Answered;
import dev.toolfleet.hosts.HostReply.Failed;
import dev.toolfleet.hosts.HostReply.Lost;
import dev.toolfleet.hosts.HostReply.NotSent;
import dev.toolfleet.hosts.HostReply.Unreadable;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Call whose handler runs in a host.
///
/// **Contract.** A process that ends before it has the call did nothing: the call goes to the next process. One that
/// ends with the call may have done it:
///
/// - A read-only or idempotent export is started once more on another process.
/// - Any other is started again only if the module's `reconcile` answers that it did not happen. Otherwise: it takes
///   effect twice. If `reconcile` is missing or does not know, the call ends with `E_TOOL_OUTCOME_UNKNOWN`.
///
/// An interrupt cancels the handler. One that does not end within [#PATIENCE] is left alone, and its process takes no
/// more calls.
///
/// **Threads.** The call's own.
final class HostedCall {
    /// The longest wait for a handler after its cancellation; shorter than the executor's own, which then answers.
    static final Duration PATIENCE = Duration.ofMillis(1_500);

    private final HostModule module;
    private final ToolExport export;
    private final ToolContext ctx;
    private final ObjectNode input;
    private int attempt;

    HostedCall(HostModule module, ToolExport export, ToolContext ctx, ObjectNode input) {
        this.module = module;
        this.export = export;
        this.ctx = ctx;
        this.input = input;
        this.attempt = ctx.attempt();
    }

    ToolOutput run() throws InterruptedException {
        HostReply reply = delivered();
        return reply instanceof Lost(String reason) ? afterLoss(reason) : outcome(reply);
    }

    private ToolOutput afterLoss(String reason) throws InterruptedException {
        if (!export.annotations().repeatable()) {
            Reconciliation found = module.reconciles()
                    ? module.reconcile(export.name(), ctx, input)
                    : Reconciliation.unknown();
            switch (found) {
                case Reconciliation.Happened(ToolOutput output) -> {
                    return output;
                }
                case Reconciliation.Unknown _ -> throw HostErrors.unknown(module.tool(), reason);
                case Reconciliation.DidNotHappen _ -> {
                }
            }
        }
        attempt++;
        HostReply again = delivered();
        if (again instanceof Lost(String second))
            throw export.annotations().repeatable()
                    ? HostErrors.crashed(module.tool(), second)
                    : HostErrors.unknown(module.tool(), second);
        return outcome(again);
    }

    /// Brings the call to a process, the next one if one ends before it has the call.
    private HostReply delivered() throws InterruptedException {
        while (true) {
            HostReply reply = attempt();
            if (!(reply instanceof NotSent) || !ctx.deadline().isAfter(Instant.now()))
                return reply;
            Thread.sleep(Duration.ofMillis(20));
        }
    }

    private HostReply attempt() throws InterruptedException {
        try {
            if (!module.isAlone())
                return attempt(module.host().process());
            HostProcess own = module.host().startForOne();
            try {
                return attempt(own);
            } finally {
                own.close();
            }
        } catch (HostDownException e) {
            throw module.down(e.reason());
        } catch (ModuleLoadException e) {
            throw module.down(String.valueOf(e.getMessage()));
        }
    }

    private HostReply attempt(HostProcess process) throws InterruptedException, HostDownException {
        module.loaded(process);
        HostRequest request = process.invoke(module.about(export.name(), ctx, input, attempt),
                new HostServices(ctx, module.tokens()));
        try {
            return request.await();
        } catch (InterruptedException e) {
            return cancelled(process, request, e);
        }
    }

    /// Cancels the handler. Returns its answer if there is one in time: it was quicker than the interrupt.
    private HostReply cancelled(HostProcess process, HostRequest request, InterruptedException cause)
            throws InterruptedException {
        process.cancel(request, ctx.deadline().isAfter(Instant.now()) ? "cancelled" : "deadline");
        HostReply reply = request.await(PATIENCE.toMillis());
        if (reply instanceof Answered)
            return reply;
        if (reply == null)
            process.retire(request);
        // The executor knows why it interrupted, and answers.
        throw cause;
    }

    private ToolOutput outcome(HostReply reply) {
        return switch (reply) {
            case Answered(JsonNode result) -> output(result);
            case Failed failed -> throw HostErrors.failed(failed);
            case Unreadable(String reason) -> throw HostErrors.unreadable(module.tool(), reason);
            case Lost(String reason) -> throw HostErrors.unknown(module.tool(), reason);
            case NotSent(String reason) -> throw module.down(reason);
        };
    }

    private ToolOutput output(JsonNode result) {
        JsonNode pending = result.path("pending");
        if (!pending.isObject())
            return ToolOutput.of(orNull(result));
        String handle = pending.path("handle").stringValue("");
        if (handle.isEmpty())
            throw HostErrors.unreadable(module.tool(), "`pending` has no handle");
        JsonNode silence = pending.path("silentAtMostMs");
        return new ToolOutput.Pending(handle, orNull(pending),
                silence.isNumber() ? Duration.ofMillis(silence.longValue()) : null,
                text(pending, "token"), text(pending, "waitingFor"));
    }

    private static JsonNode orNull(JsonNode holder) {
        return holder.path("output").isMissingNode() ? NullNode.instance : holder.path("output");
    }

    private static @Nullable String text(JsonNode object, String field) {
        return object.path(field).stringValue(null);
    }
}
