package dev.toolfleet.console.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

import dev.toolfleet.console.operate.OperatorCommands;
import dev.toolfleet.console.operate.OperatorCommands.Author;
import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.calls.VisibleCalls;
import dev.toolfleet.gateway.rest.KnownCalls;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Cancelling of all calls that a list selects: a page that names them, and then the deed.
///
/// **Contract.** The second request cancels the calls that the first one has shown, and no others that came meanwhile.
final class BulkCancelRoutes implements Route {
    static final String PATH = Section.CALLS.path() + "/cancel";
    static final int MOST = 500;
    private static final int MAX_IDS = 12_000;
    private static final int MAX_REASON = 1_000;

    private final Door door;
    private final VisibleCalls calls;
    private final KnownCalls known;
    private final OperatorCommands commands;

    BulkCancelRoutes(Door door, CallReads reads, OperatorCommands commands) {
        this.door = door;
        this.calls = new VisibleCalls(reads);
        this.known = new KnownCalls(reads);
        this.commands = commands;
    }

    /// Model of the page that names the calls.
    ///
    /// @param shown the calls
    /// @param ids of them
    /// @param more true if the list selects further calls
    record BulkCancelModel(Frame frame, CallQuery query, List<CallSummary> shown, List<String> ids, boolean more) {
        int count() {
            return ids.size();
        }

        String joined() {
            return String.join(",", ids);
        }
    }

    @Override
    public void addTo(RoutesConfig routes) {
        routes.post(PATH, door.action(this::preview));
        routes.post(PATH + "/confirmed", door.action(this::cancel));
    }

    private void preview(Context ctx, Visit visit) {
        check(visit);
        CallQuery query = CallQuery.of(ctx);
        CallPage page = open(query.filter(visit.now()), visit);
        List<String> ids = page.calls().stream().map(one -> one.id().toString()).toList();
        Templates.page(ctx, "bulkCancel", new BulkCancelModel(
                Frame.of(visit, Section.CALLS, "Cancel calls", ""), query, page.calls(), ids,
                page.next() != null));
    }

    /// A list of ended calls has no open ones.
    private CallPage open(CallFilter asked, Visit visit) {
        if (asked.status() != null || asked.code() != null)
            return new CallPage(List.of(), new TopicPosition(new TreeMap<>()), true, null, Set.of());
        CallFilter open = new CallFilter(asked.instance(), asked.agent(), asked.tool(), asked.user(), asked.stage(),
                true, null, null, asked.since());
        return Rights.value(calls.list(open, null, MOST, visit::sees));
    }

    private static void check(Visit visit) {
        Rights.check(visit, Section.CALLS);
        Rights.check(visit, Scope.TOOLS_CALL, "Cancelling calls");
    }

    private void cancel(Context ctx, Visit visit) {
        check(visit);
        String ids = Field.form(ctx, "ids", MAX_IDS);
        List<CallView> chosen = new ArrayList<>();
        List<String> left = new ArrayList<>();
        for (String id : ids == null ? new String[0] : ids.split(",")) {
            try {
                chosen.add(known.leading(known.get(KnownCalls.id(id), visit.principal())));
            } catch (ProblemException e) {
                left.add(id + ": " + e.problem().detail());
            }
        }
        OperatorCommands.Outcome outcome = commands.cancel(chosen,
                new Author(visit.author(), Field.form(ctx, "reason", MAX_REASON)));
        List<String> lines = new ArrayList<>(outcome.lines());
        lines.addAll(left);
        OutcomeModel.write(ctx, Frame.of(visit, Section.CALLS, outcome.done() ? "Cancelled" : "Not all was cancelled",
                ""),
                new OperatorCommands.Outcome(outcome.done() && left.isEmpty(), outcome.json(), lines),
                CallQuery.of(ctx).path());
    }
}
