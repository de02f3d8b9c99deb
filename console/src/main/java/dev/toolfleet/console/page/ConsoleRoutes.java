package dev.toolfleet.console.page;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.console.operate.OperatorCommands;
import dev.toolfleet.console.web.Assets;
import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.app.GatewayPages.Rooms;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.Route;
import io.javalin.http.Context;

/// Routes of all pages, assembled.
public final class ConsoleRoutes {
    private ConsoleRoutes() {}

    /// Model of the page about a failure.
    record FailureModel(Frame frame, Problem problem) {}

    /// Makes the routes.
    ///
    /// @param clock the time of requests
    public static List<Route> of(Rooms rooms, OperatorCommands commands, InstantSource clock) {
        Door door = new Door(rooms.access(), ConsoleRoutes::fail, clock);
        FleetWatch watch = new FleetWatch(commands);
        return List.of(new Assets(), new SignInRoutes(rooms.access(), door), new NowRoutes(door, rooms.calls(), watch),
                new CallListRoutes(door, rooms.calls()), new BulkCancelRoutes(door, rooms.calls(), commands),
                new OneCallRoutes(door, rooms.calls(), rooms.fleet(), commands, clock),
                new ApprovalRoutes(door, rooms.calls(), rooms.lists(), rooms.fleet(), clock),
                new ToolRoutes(door, rooms.lists(), commands, new ToolTrial(rooms.fleet())),
                new ErrorListRoutes(door, rooms.lists()), new LetterRoutes(door, rooms.lists(), commands),
                new FleetRoutes(door, watch), new PolicyRoutes(door, commands), new SessionRoutes(door, rooms.lists()));
    }

    private static void fail(Context ctx, Visit visit, Problem problem) {
        ctx.status(problem.type().status());
        problem.headers().forEach(ctx::header);
        Templates.page(ctx, ctx.header("HX-Request") == null ? "failure" : "failurePart",
                new FailureModel(new Frame(visit, Optional.empty(), problem.type().title(), ""),
                        problem));
    }
}
