package dev.toolfleet.console.page;

import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.LivePart;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Front page: the fleet's load, in numbers, a chart and one sentence.
final class NowRoutes implements Route {
    private final Door door;
    private final CallReads calls;
    private final FleetWatch watch;

    NowRoutes(Door door, CallReads calls, FleetWatch watch) {
        this.door = door;
        this.calls = calls;
        this.watch = watch;
    }

    /// Model of the page.
    record NowModel(Frame frame, NowPart part, String live) {}

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, Section.NOW.path(), door.page(this::show));
        routes.get(Section.live("now"), door.page(this::live));
    }

    private void show(Context ctx, Visit visit) {
        if (!Section.NOW.isFor(visit)) {
            leadElsewhere(ctx, visit);
            return;
        }
        Templates.page(ctx, "now", new NowModel(Frame.of(visit, Section.NOW, "Now", "toolfleet tail calls"), part(),
                Section.live("now")));
    }

    private void live(Context ctx, Visit visit) {
        check(visit);
        LivePart.write(ctx, () -> Templates.part("nowPart", part()));
    }

    /// A person with some agents or instances only begins with the first section that shows these.
    private static void leadElsewhere(Context ctx, Visit visit) {
        Section first = Section.of(visit).stream().findFirst()
                .orElseThrow(() -> Rights.forbidden(visit, "The console", "fleet:read"));
        Door.see(ctx, first.path());
    }

    /// The load is of all agents and instances.
    private static void check(Visit visit) {
        Rights.check(visit, Section.NOW);
    }

    private NowPart part() {
        return new NowPart(Rights.value(calls.load()), watch.last());
    }
}
