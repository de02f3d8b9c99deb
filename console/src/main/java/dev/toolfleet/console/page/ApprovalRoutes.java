package dev.toolfleet.console.page;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.console.operate.OperatorCommands.Outcome;
import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.Form;
import dev.toolfleet.console.web.LivePart;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.VisibleCalls;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.rest.FleetWriter;
import dev.toolfleet.gateway.rest.OpenHandles;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.ToolCall;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Inbox of the calls that wait for a person: caller, rule, and the arguments that would run; and the decisions.
final class ApprovalRoutes implements Route {
    private static final int MOST = 100;
    private static final int MOST_WAITING = 1_000;
    private static final int MAX_REASON = 1_000;
    private static final int MAX_HANDLES = 100;
    private static final CallFilter WAITING = new CallFilter(null, null, null, null, CallStage.APPROVAL, true, null,
            null, null);

    private final Door door;
    private final VisibleCalls calls;
    private final OpenApprovals open;
    private final Decider decider;
    private final OpenHandles handles;
    private final InstantSource clock;

    ApprovalRoutes(Door door, CallReads reads, FleetLists lists, FleetWriter fleet, InstantSource clock) {
        this.door = door;
        this.calls = new VisibleCalls(reads);
        this.open = new OpenApprovals(lists, clock);
        this.decider = new Decider(fleet);
        this.handles = new OpenHandles(fleet);
        this.clock = clock;
    }

    /// Model of the page.
    record ApprovalsModel(Frame frame, ApprovalPart part, String live) {}

    /// Live part of the page.
    ///
    /// @param more the number of younger ones that are not shown
    /// @param mayDecide true if this person decides
    /// @param seesCalls true if this person may open the pages of calls
    record ApprovalPart(List<Question> questions, int more, boolean mayDecide, boolean seesCalls) {}

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, Section.APPROVALS.path(), door.page(this::show));
        routes.get(Section.live("approvals"), door.page(this::live));
        routes.get(Section.APPROVALS.path() + "/{handle}/{text}", door.page(this::text));
        routes.post(Section.APPROVALS.path(), door.action(this::decide));
    }

    private void show(Context ctx, Visit visit) {
        Rights.check(visit, Section.APPROVALS);
        Templates.page(ctx, "approvals", new ApprovalsModel(
                Frame.of(visit, Section.APPROVALS, "Approvals", "toolfleet approvals"), part(visit),
                Section.live("approvals")));
    }

    private ApprovalPart part(Visit visit) {
        List<OpenApproval> visible = open.now().stream().filter(each -> {
            ToolCall call = each.call().call();
            return visit.principal().mayUse(call.instanceKey(), call.agentName());
        }).toList();
        List<Question> shown = visible.stream().limit(MOST).map(Question::new).toList();
        return new ApprovalPart(shown, visible.size() - shown.size(), visit.has(Scope.APPROVALS_DECIDE),
                Section.CALLS.isFor(visit));
    }

    /// The handles are read from their topic only when the read model has other waiting calls than before, or one of those
    /// shown has expired.
    private void live(Context ctx, Visit visit) {
        Rights.check(visit, Section.APPROVALS);
        LivePart.write(ctx, new Supplier<>() {
            private List<CallId> waiting = List.of();
            private Instant until = Instant.MIN;
            private String html = "";

            @Override
            public String get() {
                List<CallId> now = waiting(visit);
                if (!now.equals(waiting) || !clock.instant().isBefore(until)) {
                    ApprovalPart part = part(visit);
                    html = Templates.part("approvalPart", part);
                    until = part.questions().stream().map(one -> one.open().call().deadline())
                            .min(Instant::compareTo).orElse(Instant.MAX);
                    waiting = now;
                }
                return html;
            }
        });
    }

    private List<CallId> waiting(Visit visit) {
        return Rights.value(calls.list(WAITING, null, MOST_WAITING,
                one -> visit.principal().mayUse(one.instanceKey(), one.agentName()))).calls().stream()
                .map(CallSummary::id).toList();
    }

    /// All of what would run, for a person who may see the question.
    private void text(Context ctx, Visit visit) {
        Rights.check(visit, Section.APPROVALS);
        Question question = new Question(OpenApproval.of(handles.get(ctx.pathParam("handle"), visit.principal())));
        String which = ctx.pathParam("text");
        JsonNode value = switch (which) {
            case "arguments" -> question.open().arguments();
            case "files" -> question.open().operands();
            default -> throw new ProblemException(Problem.of(ProblemType.NO_SUCH_ROUTE,
                    "A question has arguments and files; there is no '" + which + "' of it."));
        };
        PlainText.write(ctx, question.id() + "-" + which, ShownValue.whole(value));
    }

    private void decide(Context ctx, Visit visit) {
        String one = Form.of(ctx).get("one");
        Decision.Verdict verdict = one == null
                ? verdict(Form.of(ctx).get("verdict"))
                : verdict(one.split(" ", 2)[0]);
        List<String> handles = one == null ? Form.of(ctx).all("handle") : List.of(one.substring(one.indexOf(' ') + 1));
        if (handles.isEmpty())
            throw new IllegalArgumentException("No call is selected. Nothing was decided.");
        if (handles.size() > MAX_HANDLES)
            throw new IllegalArgumentException(handles.size() + " calls are selected; at most " + MAX_HANDLES
                    + " are decided at once. Nothing was decided.");
        String reason = Field.form(ctx, "reason", MAX_REASON);
        List<String> despiteHidden = Form.of(ctx).all("despiteHidden");
        if (handles.size() == 1) {
            decider.decide(handles.getFirst(), verdict, reason,
                    despiteHidden.contains(handles.getFirst()), visit);
            Door.see(ctx, Section.APPROVALS.path());
            return;
        }
        List<String> lines = new ArrayList<>();
        boolean all = true;
        for (String handle : handles) {
            try {
                decider.decide(handle, verdict, reason, despiteHidden.contains(handle), visit);
                lines.add(handle + ": " + (verdict == Decision.Verdict.APPROVE ? "approved" : "rejected"));
            } catch (IllegalArgumentException e) {
                lines.add(handle + ": " + e.getMessage());
                all = false;
            } catch (ProblemException e) {
                lines.add(handle + ": " + e.problem().detail());
                all = false;
            }
        }
        OutcomeModel.write(ctx, Frame.of(visit, Section.APPROVALS, "Decided", ""),
                new Outcome(all, Json.MAPPER.missingNode(), lines), Section.APPROVALS.path());
    }

    private static Decision.Verdict verdict(@Nullable String text) {
        return switch (String.valueOf(text).toLowerCase(Locale.ROOT)) {
            case "approve" -> Decision.Verdict.APPROVE;
            case "reject" -> Decision.Verdict.REJECT;
            default -> throw new IllegalArgumentException("'verdict' must be approve or reject.");
        };
    }
}
