package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.topology.IndexKey;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Paths of the internal address, with which replicas read each other's partitions and copies. A request is answered from
/// the own stores and never sent on.
final class PeerRoute implements Route {
    static final String BASE = "/internal/v1";
    /// Before the paths of reads of copies.
    static final String COPIES = "/copies";
    static final String PARTITIONS = "partitions";
    static final String AFTER = "after";
    static final String PATIENCE = "patience";
    static final String WAIT = "wait";
    static final String FROM = "from";
    static final String LIMIT = "limit";
    /// The largest number of results in one answer.
    static final int MAX_LIMIT = 1000;

    private final PartitionReads own;
    private final CopyReads copies;

    PeerRoute(PartitionReads own, CopyReads copies) {
        this.own = own;
        this.copies = copies;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, BASE + "/calls", this::list);
        Route.read(routes, BASE + "/load", this::load);
        Route.read(routes, BASE + "/calls/{id}", this::find);
        Route.read(routes, BASE + "/calls/{id}/events", this::events);
        Route.read(routes, BASE + "/identities/{digest}", this::identity);
        Route.read(routes, BASE + "/instances/{digest}", this::instance);
        Route.read(routes, BASE + "/instances/{digest}/results/{partition}", this::results);
        addCopies(routes, BASE + COPIES);
    }

    private void addCopies(RoutesConfig routes, String base) {
        Route.read(routes, base + "/calls/{id}", ctx -> {
            Answers.allowParameters(ctx);
            Answers.json(ctx, PeerAnswers.VIEW.write(copies.find(id(ctx))));
        });
        Route.read(routes, base + "/calls/{id}/events", ctx -> {
            Answers.allowParameters(ctx, AFTER);
            Answers.json(ctx, PeerAnswers.EVENTS.write(copies.events(id(ctx), after(ctx))));
        });
        Route.read(routes, base + "/identities/{digest}", ctx -> {
            Answers.allowParameters(ctx, PARTITIONS);
            Answers.json(ctx, PeerAnswers.CALL.write(copies.callOf(partitions(ctx), digest(ctx))));
        });
        Route.read(routes, base + "/instances/{digest}", ctx -> {
            Answers.allowParameters(ctx, PARTITIONS);
            Answers.json(ctx, PeerAnswers.CALL.write(copies.latestCall(partitions(ctx), digest(ctx))));
        });
        Route.read(routes, base + "/instances/{digest}/results/{partition}", ctx -> {
            Answers.allowParameters(ctx, FROM, LIMIT);
            Answers.json(ctx, PeerAnswers.RESULTS.write(copies.results(partition(ctx), digest(ctx), from(ctx),
                    limit(ctx))));
        });
    }

    private void list(Context ctx) {
        Answers.allowParameters(ctx, PARTITIONS, LIMIT, AFTER, FilterQuery.INSTANCE, FilterQuery.AGENT,
                FilterQuery.TOOL, FilterQuery.USER, FilterQuery.STAGE, FilterQuery.OPEN, FilterQuery.STATUS,
                FilterQuery.CODE, FilterQuery.SINCE);
        String after = ctx.queryParam(AFTER);
        Answers.json(ctx, PeerAnswers.PAGE.write(own.list(partitions(ctx), read(FilterQuery::read, ctx::queryParam),
                after == null ? null : read(TopicPosition::parse, after), limit(ctx))));
    }

    private void load(Context ctx) {
        Answers.allowParameters(ctx, PARTITIONS);
        Answers.json(ctx, PeerAnswers.LOAD.write(own.load(partitions(ctx))));
    }

    private void find(Context ctx) {
        Answers.allowParameters(ctx, PATIENCE);
        Answers.json(ctx, PeerAnswers.VIEW.write(own.find(id(ctx), duration(ctx, PATIENCE))));
    }

    private void events(Context ctx) {
        Answers.allowParameters(ctx, AFTER, PATIENCE, WAIT);
        Answers.json(ctx, PeerAnswers.EVENTS.write(own.events(id(ctx), after(ctx), duration(ctx, PATIENCE),
                duration(ctx, WAIT))));
    }

    private static @Nullable EventId after(Context ctx) {
        String after = ctx.queryParam(AFTER);
        return after == null ? null : read(EventId::parse, after);
    }

    private void identity(Context ctx) {
        Answers.allowParameters(ctx, PARTITIONS);
        Answers.json(ctx, PeerAnswers.CALL.write(own.callOf(partitions(ctx), digest(ctx))));
    }

    private void instance(Context ctx) {
        Answers.allowParameters(ctx, PARTITIONS);
        Answers.json(ctx, PeerAnswers.CALL.write(own.latestCall(partitions(ctx), digest(ctx))));
    }

    private void results(Context ctx) {
        Answers.allowParameters(ctx, FROM, LIMIT, WAIT);
        Answers.json(ctx, PeerAnswers.RESULTS.write(own.results(partition(ctx), digest(ctx), from(ctx), limit(ctx),
                duration(ctx, WAIT))));
    }

    private static int partition(Context ctx) {
        return (int) number("partition", ctx.pathParam("partition"), Integer.MAX_VALUE);
    }

    private static Set<Integer> partitions(Context ctx) {
        Set<Integer> partitions = new TreeSet<>();
        String list = ctx.queryParam(PARTITIONS);
        if (list == null || list.isEmpty())
            return partitions;
        for (String partition : list.split(",", -1))
            partitions.add((int) number(PARTITIONS, partition, Integer.MAX_VALUE));
        return partitions;
    }

    private static long from(Context ctx) {
        return number(FROM, ctx.queryParam(FROM), Long.MAX_VALUE);
    }

    private static int limit(Context ctx) {
        return (int) number(LIMIT, ctx.queryParam(LIMIT), MAX_LIMIT);
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

    private static <F, T> T read(Function<F, T> parse, F from) {
        try {
            return parse.apply(from);
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
    }

    private static ProblemException invalid(String detail) {
        return new ProblemException(Problem.of(ProblemType.INVALID_REQUEST, detail));
    }
}
