package dev.toolfleet.client.turn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Events of one call, as a gateway streams them; a stream that breaks is resumed. For one thread.
final class CallEventStream {
    private static final int OK = 200;
    /// The principal, or the gateway, has no place for another stream.
    private static final Set<Integer> FULL = Set.of(429, 503);
    /// Failures in a row after which the gateway is given up, some twenty minutes.
    static final int MAX_FAILURES = 150;
    /// Stands for the time of the last line, once the stream is read no more.
    private static final long ENDED = Long.MIN_VALUE;

    private final GatewayHttp http;
    private final String path;
    private final Duration silence;
    private final int maxFailures;
    private @Nullable String lastId;
    /// True once the present attempt has shown that the gateway follows the call.
    private boolean alive;

    /// Makes the stream of a call.
    ///
    /// @param location the call's path
    /// @param silence the longest time without a line; gateways send one every 15 s
    /// @param maxFailures failures in a row after which the gateway is given up
    CallEventStream(GatewayHttp http, String location, Duration silence, int maxFailures) {
        this.maxFailures = maxFailures;
        this.http = http;
        this.path = location;
        this.silence = silence;
    }

    /// Follows the call and returns its final result.
    ///
    /// @param pending hears of each pending result
    /// @throws IOException when the gateway is away for too long, or the time is over
    ToolResult follow(Duration timeout, Consumer<ToolResult> pending) throws IOException, InterruptedException {
        long giveUp = System.nanoTime() + timeout.toNanos();
        int failures = 0;
        int barren = 0;
        String problem = "nothing came within " + timeout;
        while (failures < maxFailures && System.nanoTime() - giveUp < 0) {
            String before = lastId;
            alive = false;
            try {
                ToolResult result = once(pending);
                if (result != null)
                    return result;
            } catch (IOException | UncheckedIOException e) {
                problem = String.valueOf(e.getMessage());
            }
            // A proxy may cut each stream before anything happens to the call: its beats are signs of life.
            failures = alive ? 0 : failures + 1;
            barren = Objects.equals(before, lastId) ? barren + 1 : 0;
            GatewayHttp.pause(barren);
        }
        throw new IOException(problem);
    }

    /// Reads one stream, or the call when the gateway has no place for a stream. Returns the final result; null without it.
    private @Nullable ToolResult once(Consumer<ToolResult> pending) throws IOException, InterruptedException {
        HttpResponse<Stream<String>> answer = http.events(path + "/events", lastId);
        try (Stream<String> lines = answer.body()) {
            if (FULL.contains(answer.statusCode()))
                return look(pending);
            if (answer.statusCode() != OK)
                throw new IOException(path + "/events answered " + answer.statusCode());
            AtomicLong heard = new AtomicLong(System.nanoTime());
            watch(lines, heard);
            try {
                return read(lines.peek(line -> {
                    alive = true;
                    heard.set(System.nanoTime());
                }).iterator(), pending);
            } finally {
                heard.set(ENDED);
            }
        }
    }

    /// Reads the call as it is.
    private @Nullable ToolResult look(Consumer<ToolResult> pending) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.read(path);
        if (answer.statusCode() != OK)
            throw new IOException(path + " answered " + answer.statusCode() + ": " + answer.body());
        alive = true;
        JsonNode call = Json.MAPPER.readTree(answer.body());
        if (call.hasNonNull("result"))
            return Json.MAPPER.treeToValue(call.path("result"), ToolResult.class);
        if (call.hasNonNull("pending"))
            pending.accept(Json.MAPPER.treeToValue(call.path("pending"), ToolResult.class));
        return null;
    }

    /// Closes a stream that has become silent. Otherwise: a machine that is gone closes no connection, and the call is never
    /// followed again.
    private void watch(Stream<String> lines, AtomicLong heard) {
        CompletableFuture.delayedExecutor(silence.toMillis(), TimeUnit.MILLISECONDS).execute(() -> {
            long last = heard.get();
            if (last == ENDED)
                return;
            if (System.nanoTime() - last >= silence.toNanos())
                lines.close();
            else
                watch(lines, heard);
        });
    }

    /// Returns the final result; null when the stream ended before it.
    private @Nullable ToolResult read(Iterator<String> lines, Consumer<ToolResult> pending) {
        String event = "";
        String id = "";
        String data = "";
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.startsWith("event: "))
                event = line.substring("event: ".length());
            else if (line.startsWith("id: "))
                id = line.substring("id: ".length());
            else if (line.startsWith("data: "))
                data = line.substring("data: ".length());
            else if (line.isEmpty() && !data.isEmpty()) {
                lastId = id;
                JsonNode json = Json.MAPPER.readTree(data);
                data = "";
                if (event.equals("result"))
                    return Json.MAPPER.treeToValue(json, ToolResult.class);
                if (event.equals("pending")) {
                    ToolResult result = Json.MAPPER.treeToValue(json.path("result"), ToolResult.class);
                    pending.accept(result);
                    // The record is a duplicate, whose stream has no end: a new one is that of the call before it.
                    if (result.replayed())
                        return null;
                }
            }
        }
        return null;
    }
}
