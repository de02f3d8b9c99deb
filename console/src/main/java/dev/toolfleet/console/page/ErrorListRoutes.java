package dev.toolfleet.console.page;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.lists.ErrorFilter;
import dev.toolfleet.gateway.lists.ErrorPage;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.http.Route;
import dev.toolfleet.wire.ToolErrorEvent;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Errors of a stretch of time, in clusters.
final class ErrorListRoutes implements Route {
    private static final int MOST = 5_000;
    private static final int PERCENT = 100;

    private final Door door;
    private final FleetLists lists;

    ErrorListRoutes(Door door, FleetLists lists) {
        this.door = door;
        this.lists = lists;
    }

    /// Stretch of time that a person chooses.
    enum Since {
        QUARTER("15m", "last 15 minutes", Duration.ofMinutes(15)), HOUR("1h", "last hour",
                Duration.ofHours(1)), DAY("24h", "last day", Duration.ofDays(1));

        private final String text;
        private final String label;
        private final Duration span;

        Since(String text, String label, Duration span) {
            this.text = text;
            this.label = label;
            this.span = span;
        }

        String text() {
            return text;
        }

        String label() {
            return label;
        }

        static Since of(@Nullable String text) {
            for (Since since : values()) {
                if (since.text.equals(text == null ? HOUR.text : text))
                    return since;
            }
            throw new IllegalArgumentException("'since' is '" + text + "'; 15m, 1h and 24h are accepted.");
        }
    }

    /// Selection that a person has typed.
    record Selection(Since since, String code, String tool, String agent) {}

    /// Model of the page.
    ///
    /// @param counts errors by code, the most frequent first
    /// @param whole false if there are more errors than were read
    record ErrorsModel(Frame frame, Selection selection, List<ErrorCluster> clusters, Map<String, Integer> counts,
            int total, boolean whole) {
        int unknown() {
            return clusters.stream().filter(ErrorCluster::isUnknown).mapToInt(ErrorCluster::count).sum();
        }

        /// Returns the list of a cluster's calls.
        CallQuery calls(ErrorCluster cluster) {
            String since = selection.since().text();
            return new CallQuery("", selection.agent(), cluster.tool(), "", "error", cluster.code(),
                    CallQuery.TIMES.containsKey(since) ? since : "");
        }

        /// Returns the share of a code in percent, for the width of its bar.
        double share(int count) {
            return total == 0 ? 0 : (double) PERCENT * count / total;
        }

        List<Since> times() {
            return List.of(Since.values());
        }
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, Section.ERRORS.path(), door.page(this::show));
    }

    private void show(Context ctx, Visit visit) {
        Rights.check(visit, Section.ERRORS);
        Selection selection = new Selection(Since.of(Field.query(ctx, "since")), text(ctx, "code"), text(ctx, "tool"),
                text(ctx, "agent"));
        ErrorPage page = Rights.value(lists.errors(filter(selection, visit), null, MOST));
        Map<String, Integer> counts = new LinkedHashMap<>();
        List<ErrorCluster> clusters = ErrorCluster.of(page.errors());
        clusters.forEach(one -> counts.merge(one.code(), one.count(), Integer::sum));
        Templates.page(ctx, "errors", new ErrorsModel(
                Frame.of(visit, Section.ERRORS, "Errors", "toolfleet errors --since " + selection.since().text()),
                selection, clusters, counts, page.errors().size(), page.complete()));
    }

    private static String text(Context ctx, String name) {
        String text = Field.query(ctx, name);
        return text == null ? "" : text;
    }

    private static ErrorFilter filter(Selection selection, Visit visit) {
        Glob tool = null;
        if (!selection.tool().isEmpty()) {
            Glob.problem(selection.tool()).ifPresent(problem -> {
                throw new IllegalArgumentException("The tool '" + selection.tool() + "' " + problem + ".");
            });
            tool = Glob.of(selection.tool());
        }
        return new ErrorFilter(visit.now().minus(selection.since().span),
                selection.code().isEmpty() ? null : selection.code(), tool,
                selection.agent().isEmpty() ? null : selection.agent(), null, error -> isVisible(error, visit));
    }

    private static boolean isVisible(ToolErrorEvent error, Visit visit) {
        return visit.principal().mayUse(error.instanceKey(), error.agentName());
    }
}
