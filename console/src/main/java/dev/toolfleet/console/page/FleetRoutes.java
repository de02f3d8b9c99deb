package dev.toolfleet.console.page;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.console.operate.OperatorCommands.FleetState;
import dev.toolfleet.console.operate.OperatorCommands.PartitionState;
import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.LivePart;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import tools.jackson.databind.node.ArrayNode;

/// Workers, partitions and host processes.
final class FleetRoutes implements Route {
    private final Door door;
    private final FleetWatch watch;

    FleetRoutes(Door door, FleetWatch watch) {
        this.door = door;
        this.watch = watch;
    }

    /// Model of the page.
    record FleetModel(Frame frame, FleetPart part, String live) {}

    /// Live part of the page.
    ///
    /// @param state empty while the workers are being asked
    record FleetPart(Optional<FleetState> state) {
        long lag() {
            return partitions().stream().mapToLong(PartitionState::lag).sum();
        }

        List<PartitionState> partitions() {
            return state.map(FleetState::partitions).orElse(List.of());
        }

        /// Returns partitions and their lag, as JSON for the chart.
        String chart() {
            ArrayNode series = Json.MAPPER.createArrayNode();
            ArrayNode numbers = series.addArray();
            ArrayNode lags = series.addArray();
            partitions().forEach(one -> {
                numbers.add(one.partition());
                lags.add(one.lag());
            });
            return series.toString();
        }
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, Section.FLEET.path(), door.page(this::show));
        routes.get(Section.live("fleet"), door.page(this::live));
    }

    private void show(Context ctx, Visit visit) {
        check(visit);
        Templates.page(ctx, "fleet", new FleetModel(Frame.of(visit, Section.FLEET, "Fleet", "toolfleet hosts"),
                new FleetPart(watch.last()), Section.live("fleet")));
    }

    private static void check(Visit visit) {
        Rights.check(visit, Section.FLEET);
    }

    private void live(Context ctx, Visit visit) {
        check(visit);
        LivePart.write(ctx, () -> Templates.part("fleetPart", new FleetPart(watch.last())));
    }
}
