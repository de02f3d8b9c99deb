package dev.toolfleet.console.page;

import java.util.List;
import java.util.Set;

import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.LivePart;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.calls.VisibleCalls;
import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// List of calls: the newest first, selected by what stands in the address.
final class CallListRoutes implements Route {
    private static final int ROWS = 50;

    private final Door door;
    private final VisibleCalls calls;

    CallListRoutes(Door door, CallReads calls) {
        this.door = door;
        this.calls = new VisibleCalls(calls);
    }

    /// Model of the page.
    record CallListModel(Frame frame, CallQuery query, CallRows rows, boolean first, boolean mayCancel) {}

    /// Rows of the list; its live part.
    ///
    /// @param older the address of the next page; null when there are no older calls
    /// @param all true if the list selects nothing
    /// @param first true for the newest calls
    /// @param searchedTo the time at which the search stopped; empty when it has found all
    record CallRows(List<CallSummary> calls, @Nullable String older, String searchedTo, Set<Integer> missing,
            boolean all, boolean first) {}

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, Section.CALLS.path(), door.page(this::show));
        routes.get(Section.live("calls"), door.page(this::live));
    }

    private void show(Context ctx, Visit visit) {
        Rights.check(visit, Section.CALLS);
        CallQuery query = CallQuery.of(ctx);
        String after = Field.query(ctx, "after");
        CallRows rows = rows(query, after, visit);
        Frame frame = Frame.of(visit, Section.CALLS, "Calls", "toolfleet tail calls"
                + (query.instance().isEmpty() ? "" : " --instance " + Field.quoted(query.instance())));
        Templates.page(ctx, "calls", new CallListModel(frame, query, rows, after == null,
                visit.has(Scope.TOOLS_CALL)));
    }

    private void live(Context ctx, Visit visit) {
        Rights.check(visit, Section.CALLS);
        CallQuery query = CallQuery.of(ctx);
        LivePart.write(ctx, () -> Templates.part("callRows", rows(query, null, visit)));
    }

    private CallRows rows(CallQuery query, @Nullable String after, Visit visit) {
        TopicPosition before = after == null ? null : TopicPosition.parse(after);
        CallPage page = Rights.value(calls.list(query.filter(visit.now()), before, ROWS, visit::sees));
        TopicPosition next = page.next();
        String older = next == null ? null : query.path() + (query.isAll() ? "?" : "&") + "after=" + next;
        return new CallRows(page.calls(), older,
                page.searchedTo() == null ? "" : SpanText.full(page.searchedTo()), page.missing(), query.isAll(),
                after == null);
    }
}
