package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.calls.ResultPosition;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the final results of an instance: as a list, with `Prefer: wait` once there is a new one, or as server-sent
/// events without end.
///
/// **Contract.** Positions are places on `tool.result`, so a reader continues behind its last one at any replica. It
/// misses no result that is kept, and gets none twice. Results of agents that the principal may not use are passed over.
final class ResultRoute implements Route {
    private static final String AFTER = "after";
    private static final String LAST_EVENT = "Last-Event-ID";

    private final CallReads reads;

    ResultRoute(CallReads reads) {
        this.reads = reads;
    }

    /// Results that the reader may see.
    ///
    /// @param next the position to continue behind; null while nothing was read
    private record Page(List<InstanceResults.One> results, @Nullable ResultPosition next) {}

    @Override
    public void addTo(RoutesConfig routes) {
        routes.get("/v1/instances/{instanceKey}/results", this::results);
    }

    private void results(Context ctx) {
        Answers.allowParameters(ctx, AFTER, ListAnswers.LIMIT);
        Principal principal = Principal.of(ctx, Scope.TOOLS_CALL);
        String instanceKey = instanceKey(ctx);
        principal.checkInstance(instanceKey);
        ResultPosition after = position(AFTER, ctx.queryParam(AFTER));
        int limit = ListAnswers.limit(ctx);
        if (OpenStreams.isWanted(ctx)) {
            ResultPosition seen = position(LAST_EVENT, ctx.header(LAST_EVENT));
            stream(ctx, new Reader(principal, instanceKey, limit), seen == null ? after : seen);
            return;
        }
        Duration wait = Preference.of(ctx, Duration.ZERO).patience();
        Answers.json(ctx, json(instanceKey, page(new Reader(principal, instanceKey, limit), after, wait)));
    }

    private record Reader(Principal principal, String instanceKey, int limit) {
        boolean maySee(InstanceResults.One one) {
            String agent = one.result().agentName();
            return principal.mayUse(instanceKey, agent == null ? "" : agent);
        }
    }

    /// Returns the first results behind a position, after a wait for one that the reader may see.
    private Page page(Reader reader, @Nullable ResultPosition after, Duration wait) {
        long until = System.nanoTime() + wait.toNanos();
        ResultPosition next = after;
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, until - System.nanoTime()));
            List<InstanceResults.One> read = read(reader, next,
                    left.compareTo(CallReads.MAX_WAIT) < 0 ? left : CallReads.MAX_WAIT);
            if (!read.isEmpty())
                next = read.getLast().at();
            List<InstanceResults.One> seen = read.stream().filter(reader::maySee).toList();
            // Hidden results are passed without a wait, so that an empty page means that there is nothing behind it.
            if (!seen.isEmpty() || (read.isEmpty() && left.isZero()))
                return new Page(seen, next);
        }
    }

    private List<InstanceResults.One> read(Reader reader, @Nullable ResultPosition after, Duration wait) {
        return switch (reads.results(reader.instanceKey(), after, reader.limit(), wait)) {
            case Answer.Found<InstanceResults>(InstanceResults found) -> found.results();
            case Answer.Unknown<InstanceResults>(String reason) ->
                throw Refusals.invalid("'" + AFTER + "' is " + after + ", which is no place of a result: " + reason
                        + ". Leave it out to begin with the earliest result that is kept.");
            case Answer.Unavailable<InstanceResults>(String reason) -> throw Refusals.later(reason);
        };
    }

    private void stream(Context ctx, Reader reader, @Nullable ResultPosition after) {
        OpenStreams.take(ctx);
        Page first = page(reader, after, Duration.ZERO);
        OpenStreams.write(ctx, out -> write(out, reader, first));
    }

    private void write(OutputStream out, Reader reader, Page first) throws IOException {
        Page page = first;
        while (true) {
            for (InstanceResults.One one : page.results())
                OpenStreams.event(out, "result", one.at(), json(one));
            if (page.results().isEmpty())
                OpenStreams.beat(out);
            out.flush();
            page = page(reader, page.next(), OpenStreams.BEAT);
        }
    }

    private static ObjectNode json(String instanceKey, Page page) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("instanceKey", instanceKey);
        ArrayNode results = json.putArray("results");
        page.results().forEach(one -> results.add(json(one)));
        if (page.next() != null)
            json.put("next", page.next().toString());
        return json;
    }

    private static ObjectNode json(InstanceResults.One one) {
        ToolResult result = one.result();
        ObjectNode json = Json.MAPPER.createObjectNode().put("position", one.at().toString())
                .put("call", one.call().toString());
        json.set("result", Json.MAPPER.valueToTree(result));
        return json;
    }

    private static String instanceKey(Context ctx) {
        String key = ctx.pathParam("instanceKey");
        if (key.length() > ToolCall.MAX_ID)
            throw Refusals.invalid("'instanceKey' has " + key.length() + " characters; 1 to " + ToolCall.MAX_ID
                    + " are accepted.");
        return key;
    }

    private static @Nullable ResultPosition position(String name, @Nullable String text) {
        if (text == null || text.isEmpty())
            return null;
        try {
            return ResultPosition.parse(text);
        } catch (IllegalArgumentException e) {
            throw Refusals.invalid("'" + name + "': " + e.getMessage() + ".");
        }
    }
}
