package dev.toolfleet.console.page;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.console.operate.OperatorCommands;
import dev.toolfleet.console.operate.OperatorCommands.Author;
import dev.toolfleet.console.operate.OperatorCommands.Outcome;
import dev.toolfleet.console.page.OneCallModel.Actions;
import dev.toolfleet.console.page.OneCallModel.CallPart;
import dev.toolfleet.console.page.OneCallModel.PartAccess;
import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.Form;
import dev.toolfleet.console.web.LivePart;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.VisibleCalls;
import dev.toolfleet.gateway.rest.FleetWriter;
import dev.toolfleet.gateway.rest.KnownCalls;
import dev.toolfleet.gateway.rest.OpenHandles;
import dev.toolfleet.gateway.rest.Stages;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Page of one call: its timeline, its state in words, arguments and result, and the things that a person may do.
final class OneCallRoutes implements Route {
    private static final String PATH = Section.CALLS.path() + "/{id}";
    private static final Duration STEP = Duration.ofHours(2);
    /// Between two renderings of a call whose events come fast.
    private static final Duration LEAST_PAUSE = Duration.ofMillis(250);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final int SIBLINGS = 20;
    private static final int MAX_REASON = 1_000;
    private static final int MAX_OUTPUT = 200_000;
    private static final Set<String> TEXTS = Set.of("arguments", "output");

    private final Door door;
    private final CallReads reads;
    private final KnownCalls known;
    private final FleetWriter fleet;
    private final OperatorCommands commands;
    private final InstantSource clock;

    OneCallRoutes(Door door, CallReads reads, FleetWriter fleet, OperatorCommands commands, InstantSource clock) {
        this.door = door;
        this.reads = reads;
        this.known = new KnownCalls(reads);
        this.fleet = fleet;
        this.commands = commands;
        this.clock = clock;
    }

    /// Model of the other calls of a call's step.
    ///
    /// @param whole false if not all of them were found in time
    record StepModel(String instance, List<CallSummary> calls, boolean whole) {}

    /// Model of the explanation, from the JSON of `toolfleet explain`.
    record ExplainModel(Outcome outcome) {
        /// Event on the call's way.
        record TopicEvent(Instant at, String topic, String what) {}

        /// Label that the call's instance had when a rule decided, and the call whose result added it.
        ///
        /// @param path of that call's page; empty if it is one of another instance, whose partition is not known
        record RuledLabel(String label, String tool, String call, String instance, String path) {
            static RuledLabel of(JsonNode label, JsonNode call) {
                String instance = label.path("instanceKey").asString("");
                boolean own = instance.equals(call.path("instanceKey").asString(""));
                return new RuledLabel(label.path("label").asString(""), label.path("toolName").asString(""),
                        label.path("toolCallId").asString(""), own ? "" : instance, own
                                ? OneCallRoutes.path(new CallId(call.path("partition").asInt(),
                                        label.path("callOffset").asLong()))
                                : "");
            }
        }

        /// Labels of the newest ruling that had some.
        List<RuledLabel> labels() {
            List<RuledLabel> newest = List.of();
            for (JsonNode ruling : outcome.json().path("rulings")) {
                if (!ruling.path("labels").isEmpty())
                    newest = ruling.path("labels").valueStream()
                            .map(label -> RuledLabel.of(label, outcome.json().path("call"))).toList();
            }
            return newest;
        }

        String text() {
            return outcome.json().path("text").asString("");
        }

        List<String> next() {
            return outcome.json().path("next").valueStream().map(one -> one.asString("")).toList();
        }

        List<TopicEvent> timeline() {
            return outcome.json().path("timeline").valueStream()
                    .map(one -> new TopicEvent(Instant.parse(one.path("at").asString("")),
                            one.path("topic").asString(""), one.path("what").asString("")))
                    .toList();
        }

        String note() {
            return outcome.json().path("note").asString("");
        }
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, PATH, door.page(this::show));
        routes.get(Section.live("call/{id}"), door.page(this::live));
        routes.get(PATH + "/explain", door.page(this::explain));
        routes.get(PATH + "/step", door.page(this::step));
        routes.get(PATH + "/{text}", door.page(this::text));
        routes.post(PATH + "/cancel", door.action(this::cancel));
        routes.post(PATH + "/skip", door.action(this::skip));
        routes.post(PATH + "/complete", door.action(this::complete));
    }

    private CallView find(Context ctx, Visit visit) {
        Rights.check(visit, Section.CALLS);
        return known.get(KnownCalls.id(ctx.pathParam("id")), visit.principal());
    }

    private static String path(CallId id) {
        return Section.CALLS.path() + "/" + id;
    }

    private void show(Context ctx, Visit visit) {
        CallView view = find(ctx, visit);
        CallPart part = part(view, visit);
        ToolCall call = view.call();
        Frame frame = Frame.of(visit, Section.CALLS, "Call " + call.id(), "toolfleet explain " + view.id());
        Templates.page(ctx, "call", new OneCallModel(frame, part, Section.live("call/" + view.id())));
    }

    private CallPart part(CallView view, Visit visit) {
        return new CallPart(view, known.events(view.id(), null, Duration.ZERO),
                new PartAccess(visit.reads(view.call()), actions(view, visit), visit.csrf()),
                coarse(view.acceptedAt(), clock.instant()));
    }

    /// Returns a time that stays the same for a while, longer for an older call. Otherwise: the page of a call that waits
    /// changes all the time, and is sent again and again.
    private static Instant coarse(Instant begin, Instant now) {
        long age = Math.max(0, Duration.between(begin, now).toMillis());
        long step = Math.max(1_000, Math.min(age / 20, 600_000));
        return begin.plusMillis(age - age % step + (age < 1_000 ? age % step : 0));
    }

    private static Actions actions(CallView view, Visit visit) {
        boolean open = view.result() == null;
        boolean waits = open && view.waitsFor() != null;
        PendingCall.Kind kind = view.waitsFor() == null ? null : view.waitsFor().kind();
        return new Actions(open && visit.has(Scope.TOOLS_CALL), open && !waits && visit.has(Scope.FLEET_OPERATE),
                waits && kind == PendingCall.Kind.APPROVAL && visit.has(Scope.APPROVALS_DECIDE),
                waits && kind == PendingCall.Kind.ASYNC && visit.has(Scope.HANDLES_COMPLETE));
    }

    /// A part of its own: the search may take longer than all of the page.
    private void step(Context ctx, Visit visit) {
        Templates.page(ctx, "step", siblings(find(ctx, visit), visit));
    }

    private StepModel siblings(CallView view, Visit visit) {
        ToolCall call = view.call();
        String step = call.stepId();
        if (step == null)
            return new StepModel(call.instanceKey(), List.of(), true);
        CallFilter filter = new CallFilter(call.instanceKey(), call.agentName(), null, null, null, false, null, null,
                view.acceptedAt().minus(STEP));
        Answer<CallPage> page = new VisibleCalls(reads).list(filter, null, SIBLINGS,
                one -> visit.sees(one) && step.equals(one.stepId()) && !one.id().equals(view.id()));
        return page instanceof Answer.Found<CallPage>(CallPage found)
                ? new StepModel(call.instanceKey(), found.calls(),
                        found.next() == null && found.missing().isEmpty())
                : new StepModel(call.instanceKey(), List.of(), false);
    }

    private void live(Context ctx, Visit visit) {
        CallId id = find(ctx, visit).id();
        AtomicReference<EventId> seen = new AtomicReference<>(EventId.ACCEPTED);
        LivePart.write(ctx, () -> {
            CallView view = known.get(id, visit.principal());
            seen.set(view.at());
            CallPart part = part(view, visit);
            return new LivePart.Rendered(Templates.part("callPart", part), !part.isOpen());
        }, usual -> {
            Thread.sleep(LEAST_PAUSE);
            // The read model wakes its readers; it has no events of its own for the begin of a wait, and for decisions.
            var _ = known.events(id, seen.get(), usual.compareTo(LOOK_EVERY) > 0 ? usual : LOOK_EVERY);
        });
    }

    private void explain(Context ctx, Visit visit) {
        CallView view = find(ctx, visit);
        Templates.page(ctx, "explain", new ExplainModel(commands.explain(view.id())));
    }

    /// All of the arguments or of the output, as text that no browser takes for a page.
    private void text(Context ctx, Visit visit) {
        CallView view = find(ctx, visit);
        String which = ctx.pathParam("text");
        if (!TEXTS.contains(which))
            throw new ProblemException(Problem.of(ProblemType.NO_SUCH_ROUTE, "A call has arguments and output; there is"
                    + " no '" + which + "' of it."));
        if (!visit.reads(view.call()))
            throw Rights.forbidden(visit, "Reading arguments and outputs", Scope.TOOLS_CALL.text());
        JsonNode value = which.equals("arguments")
                ? view.call().args()
                : view.result() == null ? null : view.result().output();
        PlainText.write(ctx, view.id() + "-" + which, value == null ? "" : ShownValue.whole(value));
    }

    private void cancel(Context ctx, Visit visit) {
        CallView view = find(ctx, visit);
        Rights.check(visit, Scope.TOOLS_CALL, "Cancelling calls");
        finish(ctx, visit, view, commands.cancel(List.of(known.leading(view)), author(ctx, visit)));
    }

    private void skip(Context ctx, Visit visit) {
        CallView view = find(ctx, visit);
        Rights.check(visit, Scope.FLEET_OPERATE, "Skipping calls");
        finish(ctx, visit, view, commands.skip(view.call().instanceKey(), view.id(), author(ctx, visit)));
    }

    private static Author author(Context ctx, Visit visit) {
        return new Author(visit.author(), Field.form(ctx, "reason", MAX_REASON));
    }

    /// A command that has done everything leads back to the call; its page shows the change.
    private static void finish(Context ctx, Visit visit, CallView view, Outcome outcome) {
        if (outcome.done())
            Door.see(ctx, path(view.id()));
        else
            OutcomeModel.write(ctx, Frame.of(visit, Section.CALLS, "Nothing was changed", ""), outcome,
                    path(view.id()));
    }

    private void complete(Context ctx, Visit visit) {
        CallView view = find(ctx, visit);
        Rights.check(visit, Scope.HANDLES_COMPLETE, "Ending work behind handles");
        String handle = Field.needed(ctx, "handle");
        PendingCall pending = new OpenHandles(fleet).get(handle, visit.principal());
        if (pending.kind() != PendingCall.Kind.ASYNC)
            throw new IllegalArgumentException("The handle '" + handle + "' does not wait for work.");
        Stages.sentOnly(fleet.complete(Completion.completed(handle, output(ctx), null)), "the completion");
        Door.see(ctx, path(view.id()));
    }

    private static @Nullable JsonNode output(Context ctx) {
        String text = Field.form(ctx, "output", MAX_OUTPUT);
        if (text == null)
            return null;
        try {
            return Json.MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("The output is no JSON: " + e.getOriginalMessage()
                    + ". Put a text into quotation marks.");
        }
    }
}
