package dev.toolfleet.catalog.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.toolfleet.catalog.prompt.AgentPrompt;
import dev.toolfleet.client.format.CatalogFormat;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.session.prompt.Prompt;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCatalogItem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Shows the catalog of the newest step of an instance's agent, and the system prompt with its tools. A service without it queries the others and redirects
/// the client to the owner; a request is redirected once at most.
final class CatalogRoute implements Route {
    /// Header of queries between services: answer from your own store, and query no other.
    static final String HOP_HEADER = "Toolfleet-Hop";
    private static final String HOP = "hop";
    private static final String FORMAT = "format";
    private static final String MODE = "mode";
    private static final String MAX_TOKENS = "maxTokens";
    private static final int TEMPORARY_REDIRECT = 307;

    private final Steps steps;
    private final Peers peers;
    private final Declarations declarations;
    private final InstantSource clock;

    CatalogRoute(Steps steps, Peers peers, Declarations declarations, InstantSource clock) {
        this.steps = steps;
        this.peers = peers;
        this.declarations = declarations;
        this.clock = clock;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, "/v1/instances/{instanceKey}/agents/{agent}/catalog", this::catalog);
        Route.read(routes, "/v1/instances/{instanceKey}/agents/{agent}/prompt", this::prompt);
    }

    private void catalog(Context ctx) {
        Answers.allowParameters(ctx, FORMAT, HOP);
        CatalogFormat format = format(ctx);
        answer(ctx, step -> show(ctx, step, format));
    }

    private void prompt(Context ctx) {
        Answers.allowParameters(ctx, MODE, MAX_TOKENS, HOP);
        Prompt.Mode mode = mode(ctx);
        long maxTokens = maxTokens(ctx);
        answer(ctx, step -> prompt(ctx, step, mode, maxTokens));
    }

    private void answer(Context ctx, Consumer<StepCatalog> here) {
        String instanceKey = ctx.pathParam("instanceKey");
        String agent = ctx.pathParam("agent");
        switch (steps.find(instanceKey, agent)) {
            case Whereabouts.Here(StepCatalog step) -> here.accept(step);
            case Whereabouts.Unclear(String reason) -> throw later(reason);
            case Whereabouts.NotHere(List<HostPort> others, List<Integer> unowned) -> {
                if (ctx.header(HOP_HEADER) != null)
                    throw unknown(instanceKey, agent);
                if (ctx.queryParam(HOP) != null)
                    throw later("the step moved to another service while the request was sent here");
                elsewhere(ctx, others, unowned);
            }
        }
    }

    private static CatalogFormat format(Context ctx) {
        String name = ctx.queryParam(FORMAT);
        if (name == null)
            return CatalogFormat.TOOLFLEET;
        return CatalogFormat.of(name).orElseThrow(() -> new ProblemException(Problem.of(ProblemType.INVALID_REQUEST,
                "The format '" + name + "' is unknown; there are " + CatalogFormat.allowed() + ".")));
    }

    private static Prompt.Mode mode(Context ctx) {
        String name = ctx.queryParam(MODE);
        return switch (name == null ? "full" : name) {
            case "full" -> Prompt.Mode.FULL;
            case "minimal" -> Prompt.Mode.MINIMAL;
            case "none" -> Prompt.Mode.NONE;
            default -> throw new ProblemException(Problem.of(ProblemType.INVALID_REQUEST,
                    "The mode '" + name + "' is unknown; there are full, minimal and none."));
        };
    }

    private static long maxTokens(Context ctx) {
        String text = ctx.queryParam(MAX_TOKENS);
        if (text == null)
            return AgentPrompt.MAX_TOKENS;
        if (!text.matches("[1-9][0-9]{0,9}"))
            throw new ProblemException(Problem.of(ProblemType.INVALID_REQUEST,
                    "maxTokens '" + text + "' must be a whole number from 1, such as 16000."));
        return Long.parseLong(text);
    }

    private void prompt(Context ctx, StepCatalog step, Prompt.Mode mode, long maxTokens) {
        name(ctx, step);
        FleetResources resources = declarations.resources()
                .orElseThrow(() -> later("tool.resource has not been read to its end"));
        switch (AgentPrompt.of(resources, step.agentName(), items(step), mode, maxTokens, clock.instant())) {
            case Prompt.TooLarge tooLarge ->
                throw new ProblemException(Problem.of(ProblemType.PROMPT_TOO_LARGE, tooLarge.message() + "."));
            case Prompt.Built built -> {
                if (!Answers.notModified(ctx, built.digest()))
                    Answers.json(ctx, AgentPrompt.json(built));
            }
        }
    }

    private void show(Context ctx, StepCatalog step, CatalogFormat format) {
        name(ctx, step);
        if (!Answers.notModified(ctx, step.digest()))
            Answers.json(ctx, format.render(items(step)).json(step.digest()));
    }

    private List<ToolCatalogItem> items(StepCatalog step) {
        return steps.content(step.digest()).orElseThrow(() -> later(
                "the content " + step.digest() + " of the newest step has not come back from tool.catalog.content"));
    }

    private static void name(Context ctx, StepCatalog step) {
        ctx.header("Toolfleet-Turn-Id", encoded(step.turnId()));
        ctx.header("Toolfleet-Step-Id", encoded(step.stepId()));
        ctx.header("Toolfleet-Step-Ended", Boolean.toString(step.ended()));
        ctx.header("Toolfleet-Bundle", encoded(step.bundle()));
        ctx.header("Toolfleet-Revision", Long.toString(step.revision()));
    }

    private void elsewhere(Context ctx, List<HostPort> others, List<Integer> unowned) {
        switch (peers.whoHas(ctx.path(), others)) {
            case Peers.Found.At(HostPort owner) -> {
                String query = ctx.queryString();
                ctx.header("Location", "http://" + owner + ctx.path() + "?"
                        + (query == null || query.isEmpty() ? "" : query + "&") + HOP + "=1");
                ctx.status(TEMPORARY_REDIRECT);
            }
            case Peers.Found.Unasked(List<HostPort> silent) -> throw later("the step is not here, and could not be"
                    + " looked for at " + silent.stream().map(HostPort::toString).collect(Collectors.joining(", "))
                    + "; are these services running, with the same catalog.http.token?");
            case Peers.Found.Nowhere() -> {
                if (!unowned.isEmpty())
                    throw later("the step may be in partitions " + unowned + " of agent.step, which no service that"
                            + " can be asked owns; unless they are being assigned, set catalog.http.port and"
                            + " catalog.http.advertised of every service so that the others reach it");
                throw unknown(ctx.pathParam("instanceKey"), ctx.pathParam("agent"));
            }
        }
    }

    private static ProblemException unknown(String instanceKey, String agent) {
        return new ProblemException(Problem.of(ProblemType.UNKNOWN_CATALOG, "No step of the agent '" + agent
                + "' of the instance '" + instanceKey + "' is known: none was announced on agent.step, or none for as"
                + " long as catalog.retention. Announce one (StepStarted), and see that both names are"
                + " percent-encoded in the path, '/' as %2F."));
    }

    private static ProblemException later(String reason) {
        return new ProblemException(Problem.notReady("The catalog is not available now, since " + reason
                + ". Ask again in a second.", List.of()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
