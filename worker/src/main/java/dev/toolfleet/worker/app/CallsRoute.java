package dev.toolfleet.worker.app;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.toolfleet.hosts.Hosts;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.lane.LaneSlot;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.override.LaneControl;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Route that shows the calls of one instance on this worker: those that run, in their stage, those queued behind them, and
/// the partitions that it does not read. Never the arguments. A request copies the list of the instance's lane, and holds
/// up no other lane. Without an instance, it shows the numbers of all calls, and why the worker is not ready.
final class CallsRoute implements Route {
    private static final String PATH = "/v1/calls";
    private static final String INSTANCE = "instance";
    private static final int MOST_QUEUED = 1_000;

    private final Supplier<Source> source;

    /// Sources of the answer.
    ///
    /// @param worker its name
    /// @param held why partitions are not read
    /// @param hosts the processes that may have calls
    /// @param notReady why the worker is not ready, one clause each
    record Source(String worker, Lanes lanes, SortedMap<Integer, List<String>> held, Hosts hosts,
            List<String> notReady) {
        private Optional<Hosts.Seat> seat(ToolCall call) {
            return hosts.seat(ctx -> ctx.instanceKey().equals(call.instanceKey())
                    && ctx.toolCallId().equals(call.id()) && Objects.equals(ctx.turnId(), call.turnId())
                    && Objects.equals(ctx.stepId(), call.stepId()));
        }
    }

    /// @param source asked at each request; throws while the worker has not started
    CallsRoute(Supplier<Source> source) {
        this.source = source;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, PATH, this::list);
    }

    private void list(Context ctx) {
        Answers.allowParameters(ctx, INSTANCE);
        String instance = ctx.queryParam(INSTANCE);
        if (instance != null && instance.isEmpty())
            throw new ProblemException(Problem.of(ProblemType.INVALID_REQUEST,
                    "The parameter 'instance' is empty: name one instanceKey, such as " + PATH
                            + "?instance=telegram%3A123, or leave it out for the numbers of all calls."));
        Source asked = source.get();
        if (instance == null) {
            Answers.json(ctx, totals(asked.worker(), asked.lanes().totals(), asked.held(), asked.notReady()));
            return;
        }
        Answers.json(ctx, json(asked.worker(), instance, asked.lanes().of(instance, MOST_QUEUED), asked.held(),
                asked::seat));
    }

    static ObjectNode json(String worker, String instance, List<Lanes.LaneView> lanes,
            SortedMap<Integer, List<String>> held, Function<ToolCall, Optional<Hosts.Seat>> seats) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("worker", worker).put("instanceKey", instance);
        ArrayNode calls = json.putArray("calls");
        int queued = 0;
        for (Lanes.LaneView lane : lanes) {
            lane.busy().forEach(slot -> add(calls, slot, slot.occupant(), seats));
            lane.queued().forEach(slot -> add(calls, slot, null, seats));
            queued += lane.waiting();
        }
        json.put("queued", queued);
        held(json, held);
        return json;
    }

    static ObjectNode totals(String worker, Lanes.Totals calls, SortedMap<Integer, List<String>> held,
            List<String> notReady) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("worker", worker).put("running", calls.running())
                .put("queued", calls.queued());
        calls.oldest().ifPresent(at -> json.put("oldest", Instant.ofEpochMilli(at).toString()));
        held(json, held);
        notReady.forEach(json.putArray("notReady")::add);
        return json;
    }

    private static void held(ObjectNode json, SortedMap<Integer, List<String>> held) {
        ArrayNode notRead = json.putArray("held");
        held.forEach((partition, why) -> why
                .forEach(notRead.addObject().put("partition", partition).putArray("reasons")::add));
    }

    private static void add(ArrayNode calls, LaneSlot slot, LaneSlot.@Nullable Occupant occupant,
            Function<ToolCall, Optional<Hosts.Seat>> seats) {
        ToolCall call = call(slot.arrival());
        if (call == null)
            return;
        ObjectNode json = calls.addObject().put("id", call.id()).put("name", call.name());
        if (call.stepId() != null)
            json.put("stepId", call.stepId());
        json.put("partition", slot.arrival().position().partition()).put("offset", LaneControl.offset(slot.arrival()));
        if (occupant == null) {
            json.put("stage", "queued");
            return;
        }
        LaneSlot.Activity doing = occupant.doing();
        json.put("stage", doing.stage()).put("since", Instant.ofEpochMilli(doing.since()).toString())
                .put("attempt", doing.attempt()).put("skipped", slot.isPassed());
        seats.apply(call).ifPresent(seat -> json.put("host", seat.host()).put("pid", seat.pid()));
    }

    private static @Nullable ToolCall call(Arrival arrival) {
        return switch (arrival) {
            case Arrival.Call call -> call.call();
            case Arrival.Granted granted -> granted.call().call();
            case Arrival.Malformed malformed -> malformed.caller();
        };
    }
}
