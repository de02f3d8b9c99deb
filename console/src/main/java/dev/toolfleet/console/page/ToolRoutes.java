package dev.toolfleet.console.page;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.BreakerSpec;
import dev.toolfleet.bundle.Concurrency;
import dev.toolfleet.bundle.ToolAuth;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.console.operate.OperatorCommands;
import dev.toolfleet.console.operate.OperatorCommands.Author;
import dev.toolfleet.console.operate.OperatorCommands.Outcome;
import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.Form;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.lists.InstanceViews;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.DeclaredTool;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolCatalogItem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Tools: those of each agent, one tool with its schema and limits, and the operator's switch.
final class ToolRoutes implements Route {
    private static final String DENIALS = Section.live("denials");
    private static final String ONE = Section.TOOLS.path() + "/{agent}/{tool}";
    private static final Map<String, Duration> PERIODS = Map.of("15m", Duration.ofMinutes(15), "1h",
            Duration.ofHours(1), "24h", Duration.ofHours(24));
    private static final int MAX_REASON = 1_000;
    private static final int PERCENT = 100;

    private final Door door;
    private final FleetLists lists;
    private final OperatorCommands commands;
    private final ToolTrial trial;

    ToolRoutes(Door door, FleetLists lists, OperatorCommands commands, ToolTrial trial) {
        this.door = door;
        this.lists = lists;
        this.commands = commands;
        this.trial = trial;
    }

    /// Model of the list.
    ///
    /// @param agent the chosen one; empty if no bundle declares one
    /// @param instance whose newest step is compared; empty for none
    /// @param shown the tools of that step; null when no step is compared, or none is known
    /// @param stepProblem the reason why it is not known; empty if it is
    /// @param seesDenials true if the page loads the tools that operators switched off
    /// @param mayCompare true if the person may see steps
    record ToolsModel(Frame frame, List<String> agents, String agent, String instance, List<ToolRow> tools,
            List<String> problems, @Nullable Set<String> shown, String stepProblem, boolean seesDenials,
            boolean mayCompare) {
        boolean isShown(ToolRow row) {
            return shown == null || shown.contains(row.name());
        }
    }

    /// Model of the tools that operators switched off.
    record DenialsModel(Outcome outcome, String csrf, boolean mayOperate) {
        List<JsonNode> denials() {
            return outcome.json().valueStream().toList();
        }
    }

    /// Tool of an agent.
    record ToolRow(String agent, ToolCatalogItem item, Optional<ToolExport> export) {
        String name() {
            return item.name();
        }

        String description() {
            String text = item.description();
            return text == null ? "" : text;
        }

        /// Returns what it may do to the world, and what stands before a call, in words.
        List<String> traits() {
            List<String> traits = new ArrayList<>();
            export.ifPresent(declared -> {
                if (declared.annotations().readOnly())
                    traits.add("read-only");
                else if (declared.annotations().idempotent())
                    traits.add("idempotent");
                if (declared.policy().requiresApproval())
                    traits.add("needs approval");
                if (declared.policy().isTransactional())
                    traits.add("moves money or goods");
                if (declared.policy().accessesSensitiveData())
                    traits.add("sensitive data");
                if (declared.execution().async().isPresent())
                    traits.add("may finish later");
            });
            return traits;
        }

        String path() {
            return Section.TOOLS.path() + "/" + Field.encoded(agent) + "/" + Field.encoded(item.name());
        }
    }

    /// Model of one tool.
    record OneToolModel(Frame frame, ToolRow row, List<Fact> facts, List<ToolTrial.Input> inputs,
            boolean mayTry, boolean mayOperate, String scratch) {
        ShownValue schema() {
            return ShownValue.of(row.item().parameters());
        }
    }

    /// Name and value on a page.
    record Fact(String name, String value) {}

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, Section.TOOLS.path(), door.page(this::list));
        routes.get(DENIALS, door.page(this::denials));
        Route.read(routes, ONE, door.page(this::show));
        routes.post(ONE, door.action(this::call));
        routes.post(Section.TOOLS.path() + "/switch", door.action(this::operate));
    }

    private void list(Context ctx, Visit visit) {
        Rights.check(visit, Section.TOOLS);
        FleetResources resources = lists.resources().live(visit.now());
        Set<String> names = new TreeSet<>();
        resources.bundles().values().forEach(bundle -> names.addAll(bundle.agents().keySet()));
        List<String> agents = names.stream().filter(visit.principal()::mayUseAgent).toList();
        String asked = Field.query(ctx, "agent");
        String agent = asked == null ? agents.isEmpty() ? "" : agents.getFirst() : asked;
        if (!agent.isEmpty() && !agents.contains(agent))
            throw unknown("No bundle declares an agent '" + agent + "' that you may use; there are "
                    + String.join(", ", agents) + ".");
        String instance = Field.query(ctx, "instance");
        AgentTools tools = AgentTools.of(resources, agent);
        List<ToolRow> rows = tools.items().stream().map(item -> row(resources, agent, item)).toList();
        Step step = instance == null ? new Step(null, "") : step(instance, agent, visit);
        Templates.page(ctx, "tools", new ToolsModel(Frame.of(visit, Section.TOOLS, "Tools", command(agent, instance)),
                agents, agent, instance == null ? "" : instance, rows, agent.isEmpty() ? List.of() : tools.problems(),
                step.shown(), step.problem(), seesDenials(visit), visit.has(Scope.TOOLS_LIST)));
    }

    private static String command(String agent, @Nullable String instance) {
        return instance == null
                ? "toolfleet policy denials"
                : "toolfleet catalog show --instance " + Field.quoted(instance) + " --agent " + Field.quoted(agent);
    }

    private static boolean seesDenials(Visit visit) {
        return (visit.has(Scope.FLEET_READ) || visit.has(Scope.FLEET_OPERATE)) && visit.principal().isUnrestricted();
    }

    private static boolean mayOperate(Visit visit) {
        return visit.has(Scope.FLEET_OPERATE) && visit.principal().isUnrestricted();
    }

    private void denials(Context ctx, Visit visit) {
        Rights.check(visit, Section.TOOLS);
        if (!seesDenials(visit))
            throw Rights.forbidden(visit, "Seeing the tools that operators switched off", Scope.FLEET_READ.text());
        Templates.page(ctx, "denials", new DenialsModel(commands.denials(), visit.csrf(), mayOperate(visit)));
    }

    private static ToolRow row(FleetResources resources, String agent, ToolCatalogItem item) {
        return new ToolRow(agent, item, resources.tool(item.tool()).flatMap(tool -> tool.export(item.tool().export())));
    }

    private static ProblemException unknown(String detail) {
        return new ProblemException(Problem.of(ProblemType.UNKNOWN_AGENT, detail));
    }

    /// Tools of an instance's newest step.
    private record Step(@Nullable Set<String> shown, String problem) {}

    private Step step(String instance, String agent, Visit visit) {
        Rights.check(visit, Scope.TOOLS_LIST, "Seeing the step of an instance");
        visit.principal().checkUse(instance, agent);
        return switch (lists.views().read(InstanceViews.View.CATALOG, instance, agent, Map.of(), null)) {
            case Answer.Found<InstanceViews.Shown>(InstanceViews.Shown view) -> {
                Set<String> names = new TreeSet<>();
                JsonNode json = Json.MAPPER.readTree(view.body() == null ? new byte[]{'{', '}'} : view.body());
                json.path("tools").forEach(tool -> names.add(tool.path("name").asString("")));
                yield new Step(names, "");
            }
            case Answer.Unknown<InstanceViews.Shown>(String reason) -> new Step(null, reason);
            case Answer.Unavailable<InstanceViews.Shown>(String reason) -> new Step(null, reason);
        };
    }

    private ToolRow find(Context ctx, Visit visit) {
        Rights.check(visit, Section.TOOLS);
        String agent = ctx.pathParam("agent");
        String name = ctx.pathParam("tool");
        FleetResources resources = lists.resources().live(visit.now());
        if (!visit.principal().mayUseAgent(agent))
            throw unknown("No bundle declares an agent '" + agent + "' that you may use.");
        return AgentTools.items(resources, agent).stream().filter(item -> item.name().equals(name)).findFirst()
                .map(item -> row(resources, agent, item))
                .orElseThrow(() -> unknown("The agent '" + agent + "' has no tool '" + name + "'."));
    }

    private void show(Context ctx, Visit visit) {
        ToolRow row = find(ctx, visit);
        DeclaredTool tool = lists.resources().live(visit.now()).tool(row.item().tool()).orElse(null);
        Frame frame = Frame.of(visit, Section.TOOLS, row.name(), "toolfleet policy explain " + Field.quoted(row.name())
                + " --agent " + Field.quoted(row.agent()));
        Templates.page(ctx, "tool", new OneToolModel(frame, row, facts(row, tool),
                ToolTrial.inputs(row.item().parameters()), visit.has(Scope.TOOLS_CALL) && visit.has(Scope.TOOLS_LIST),
                mayOperate(visit), ToolTrial.instance(visit)));
    }

    private static List<Fact> facts(ToolRow row, @Nullable DeclaredTool tool) {
        List<Fact> facts = new ArrayList<>();
        if (tool != null) {
            facts.add(new Fact("Declared by", tool.bundle() + ", revision " + tool.revision()));
            facts.add(new Fact("Runs", tool.spec().entry() + tool.spec().runtime().map(runtime -> ", by " + runtime)
                    .orElse("")));
        }
        facts.add(new Fact("Traits", row.traits().isEmpty() ? "none declared" : String.join(", ", row.traits())));
        if (row.item().group() != null)
            facts.add(new Fact("Group", row.item().group()));
        row.export().ifPresent(export -> {
            facts.add(new Fact("Timeout", export.execution().timeout().map(SpanText::of).orElse("the worker's")));
            export.execution().limits().maxConcurrent()
                    .ifPresent(most -> facts.add(new Fact("At once on a worker", text(most))));
            export.execution().limits().ratePerSecond()
                    .ifPresent(rate -> facts.add(new Fact("Rate on a worker", rate + " a second")));
            export.execution().limits().circuitBreaker()
                    .ifPresent(breaker -> facts.add(new Fact("Circuit breaker", text(breaker))));
            export.auth().ifPresent(auth -> facts.add(new Fact("Acts for a person", text(auth))));
        });
        return facts;
    }

    private static String text(Concurrency most) {
        return switch (most) {
            case Concurrency.Fixed(int calls) -> calls == 1 ? "1 call" : calls + " calls";
            case Concurrency.PerCore(double calls) -> calls + " calls for each processor";
        };
    }

    private static String text(BreakerSpec breaker) {
        return "opens for " + SpanText.of(breaker.openFor()) + " when " + Math.round(PERCENT * breaker.failureRate())
                + " % of " + breaker.window() + " calls fail";
    }

    private static String text(ToolAuth auth) {
        return "by " + auth.app() + (auth.onMissing() == ToolAuth.OnMissing.WAIT
                ? "; a call without a grant waits for it"
                : "; the handler answers a call without a grant");
    }

    private void call(Context ctx, Visit visit) {
        ToolRow row = find(ctx, visit);
        Rights.check(visit, Scope.TOOLS_CALL, "Calling tools");
        Rights.check(visit, Scope.TOOLS_LIST, "Announcing the step of a call");
        Door.see(ctx, Section.CALLS.path() + "/" + trial.call(ctx, visit, row.agent(), row.item()));
    }

    private void operate(Context ctx, Visit visit) {
        Rights.check(visit, Scope.FLEET_OPERATE, "Switching tools off and on");
        visit.principal().checkUnrestricted("the switch of the fleet's tools");
        String pattern = Field.needed(ctx, "pattern");
        Author author = new Author(visit.author(), Field.form(ctx, "reason", MAX_REASON));
        if ("lift".equals(Form.of(ctx).get("switch")))
            finish(ctx, visit, "Switched on", "lift " + Field.quoted(pattern), commands.lift(pattern, author));
        else
            deny(ctx, visit, pattern, author);
    }

    private void deny(Context ctx, Visit visit, String pattern, Author author) {
        String period = Field.needed(ctx, "period");
        String reason = author.reason() == null ? "" : author.reason();
        finish(ctx, visit, "Switched off", "deny " + Field.quoted(pattern) + " --for " + period + " --reason "
                + Field.quoted(reason), commands.deny(pattern, period(period), author));
    }

    private static void finish(Context ctx, Visit visit, String title, String command, Outcome outcome) {
        OutcomeModel.write(ctx, Frame.of(visit, Section.TOOLS, title, "toolfleet policy " + command), outcome,
                Section.TOOLS.path());
    }

    private static Duration period(String text) {
        Duration period = PERIODS.get(text);
        if (period == null)
            throw new IllegalArgumentException("'period' is '" + text + "'; 15m, 1h and 24h are accepted.");
        return period;
    }
}
