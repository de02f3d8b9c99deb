package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.util.HexFormat;
import java.util.function.Function;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.topology.IndexKey;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Paths of the internal address, with which replicas read each other's partitions. A request is answered from the own
/// stores and never sent on.
final class PeerRoute implements Route {
    static final String BASE = "/internal/v1";
    static final String AFTER = "after";
    static final String PATIENCE = "patience";
    static final String WAIT = "wait";
    static final String FROM = "from";
    static final String LIMIT = "limit";
    /// The largest number of results in one answer.
    static final int MAX_LIMIT = 1000;

    private final PartitionReads own;

    PeerRoute(PartitionReads own) {
        this.own = own;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, BASE + "/calls/{id}", this::find);
        Route.read(routes, BASE + "/calls/{id}/events", this::events);
        Route.read(routes, BASE + "/identities/{digest}", this::identity);
        Route.read(routes, BASE + "/instances/{digest}", this::instance);
        Route.read(routes, BASE + "/instances/{digest}/results/{partition}", this::results);
    }

    private void find(Context ctx) {
        Answers.allowParameters(ctx, PATIENCE);
        Answers.json(ctx, PeerAnswers.VIEW.write(own.find(id(ctx), duration(ctx, PATIENCE))));
    }

    private void events(Context ctx) {
        Answers.allowParameters(ctx, AFTER, PATIENCE, WAIT);
        String after = ctx.queryParam(AFTER);
        Answers.json(ctx, PeerAnswers.EVENTS.write(own.events(id(ctx),
                after == null ? null : read(EventId::parse, after), duration(ctx, PATIENCE), duration(ctx, WAIT))));
    }

    private void identity(Context ctx) {
        Answers.allowParameters(ctx);
        Answers.json(ctx, PeerAnswers.CALL.write(own.callOf(digest(ctx))));
    }

    private void instance(Context ctx) {
        Answers.allowParameters(ctx);
        Answers.json(ctx, PeerAnswers.CALL.write(own.latestCall(digest(ctx))));
    }

    private void results(Context ctx) {
        Answers.allowParameters(ctx, FROM, LIMIT, WAIT);
        int partition = (int) number("partition", ctx.pathParam("partition"), Integer.MAX_VALUE);
        Answers.json(ctx, PeerAnswers.RESULTS.write(own.results(partition, digest(ctx),
                number(FROM, ctx.queryParam(FROM), Long.MAX_VALUE),
                (int) number(LIMIT, ctx.queryParam(LIMIT), MAX_LIMIT), duration(ctx, WAIT))));
    }

    private static CallId id(Context ctx) {
        return read(CallId::parse, ctx.pathParam("id"));
    }

    private static byte[] digest(Context ctx) {
        String digest = ctx.pathParam("digest");
        if (!IndexKey.isDigest(digest))
            throw invalid("'" + digest + "' is no digest: 32 hexadecimal digits expected");
        return HexFormat.of().parseHex(digest);
    }

    private static Duration duration(Context ctx, String name) {
        return Duration.ofMillis(number(name, ctx.queryParam(name), CallReads.MAX_WAIT.toMillis()));
    }

    private static long number(String name, @Nullable String text, long most) {
        try {
            long number = Long.parseLong(String.valueOf(text));
            if (number >= 0 && number <= most)
                return number;
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw invalid("'" + name + "' is '" + text + "': a whole number from 0 to " + most + " expected");
    }

    private static <T> T read(Function<String, T> parse, String text) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
    }

    private static ProblemException invalid(String detail) {
        return new ProblemException(Problem.of(ProblemType.INVALID_REQUEST, detail));
    }
}
