package dev.toolfleet.hosts;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.HostIsolation;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.hosts.HostReply.Answered;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.tool.Authorized;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Module of a Tool whose handlers run in a host.
///
/// **Contract.** [HostedCall] decides about calls whose process ends. Everything else fails with the process's error,
/// and counts as unknown for [#reconcile].
final class HostModule implements ToolModule, Authorized {
    /// Parts of lines of a stack that are not about the module.
    private static final List<String> HOSTS_OWN = List.of("Traceback (", "host.py", "host.mjs", "(node:",
            "node:internal",
            "importlib");

    private final ToolSpec spec;
    private final String path;
    private final Hosts.Use use;
    private TokenSource tokens = (context, minTtl, scopes) -> new TokenAnswer.Failed("oauthAppNotFound",
            "there are no tokens here");
    private ObjectNode config = JsonNodeFactory.instance.objectNode();
    private Abilities abilities = new Abilities(Set.of(), false, false, false);

    /// Functions of a module, as its host lists them.
    private record Abilities(Set<String> handlers, boolean reconcile, boolean poll, boolean cancel) {
        static Abilities of(JsonNode loaded) {
            return new Abilities(
                    loaded.path("handlers").values().stream().map(name -> name.stringValue(""))
                            .collect(Collectors.toSet()),
                    loaded.path("reconcile").booleanValue(false), loaded.path("poll").booleanValue(false),
                    loaded.path("cancel").booleanValue(false));
        }
    }

    HostModule(ToolSpec spec, String path, Hosts.Use use) {
        this.spec = spec;
        this.path = path;
        this.use = use;
    }

    @Override
    public void tokens(TokenSource source) {
        tokens = source;
    }

    TokenSource tokens() {
        return tokens;
    }

    @Override
    public void configure(ObjectNode given) {
        config = given;
    }

    /// Starts the process if it does not run, and loads the module in it.
    @Override
    public Map<String, ToolHandler> handlers() {
        try {
            HostProcess process = use.host().process();
            abilities = Abilities.of(loaded(process));
        } catch (HostDownException e) {
            throw new ModuleLoadException(path + " has no process: " + e.reason());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ModuleLoadException(path + " was not loaded in time");
        }
        Map<String, ToolHandler> handlers = new HashMap<>();
        for (ToolExport export : spec.exports()) {
            if (abilities.handlers().contains(export.name()))
                handlers.put(export.name(), (ctx, input) -> call(export, ctx, input).run());
        }
        // The names of the others make the message about a missing one.
        for (String name : abilities.handlers())
            handlers.putIfAbsent(name, (ctx, input) -> null);
        return handlers;
    }

    private HostedCall call(ToolExport export, ToolContext ctx, ObjectNode input) {
        return new HostedCall(this, export, ctx, input);
    }

    String tool() {
        return spec.name();
    }

    boolean isAlone() {
        return spec.isolation() == HostIsolation.CALL;
    }

    boolean reconciles() {
        return abilities.reconcile();
    }

    BundleHost host() {
        return use.host();
    }

    /// Loads the module in a process, unless that has it.
    ///
    /// @throws ModuleLoadException if the process cannot load it
    JsonNode loaded(HostProcess process) throws InterruptedException, HostDownException {
        return switch (process.load(spec.name(), this::whatToLoad)) {
            case Answered(JsonNode result) -> result;
            case HostReply.Failed failed -> throw new ModuleLoadException(
                    path + " cannot be loaded: " + failed.message() + stack(failed));
            case HostReply.Unreadable(String reason) ->
                throw new ModuleLoadException(path + " cannot be loaded: " + reason);
            case HostReply.Lost(String reason) -> throw new HostDownException(reason);
            case HostReply.NotSent(String reason) -> throw new HostDownException(reason);
        };
    }

    private ObjectNode whatToLoad() {
        ObjectNode params = JsonNodeFactory.instance.objectNode().put("tool", spec.name()).put("file",
                use.file().toString());
        params.set("config", config);
        spec.exports().forEach(export -> params.withArray("exports").add(export.name()));
        return params;
    }

    /// Returns the first lines of the stack that name a file, without the folder of the private copy.
    private String stack(HostReply.Failed failed) {
        JsonNode data = failed.data();
        String text = data == null ? "" : data.path("stack").stringValue("");
        String root = use.file().toString();
        root = root.substring(0, root.length() - path.length());
        List<String> lines = new ArrayList<>();
        for (String line : text.replace("file://", "").replace(root, "").lines().toList()) {
            if (lines.size() < 2 && !line.isBlank() && !failed.message().contains(line.strip())
                    && !line.contains(failed.message())
                    && HOSTS_OWN.stream().noneMatch(line::contains))
                lines.add(line.strip());
        }
        return lines.isEmpty() ? "" : " (" + String.join(" | ", lines) + ")";
    }

    @Override
    public Reconciliation reconcile(String export, ToolContext ctx, ObjectNode input) throws InterruptedException {
        if (!abilities.reconcile())
            return Reconciliation.unknown();
        try {
            HostProcess process = use.host().process();
            loaded(process);
            return process.send("reconcile", about(export, ctx, input, ctx.attempt()), new HostServices(ctx, tokens))
                    .await() instanceof Answered(JsonNode answer) ? reconciliation(answer) : Reconciliation.unknown();
        } catch (HostDownException | ModuleLoadException e) {
            return Reconciliation.unknown();
        }
    }

    private static Reconciliation reconciliation(JsonNode answer) {
        return switch (answer.path("verdict").stringValue("unknown")) {
            case "happened" -> Reconciliation.happened(answer.path("output"));
            case "didNotHappen" -> Reconciliation.didNotHappen();
            default -> Reconciliation.unknown();
        };
    }

    /// Returns the parameters of `invoke` and `reconcile`.
    ObjectNode about(String export, ToolContext ctx, ObjectNode input, int attempt) {
        ObjectNode params = JsonNodeFactory.instance.objectNode().put("tool", spec.name()).put("export", export);
        params.set("context", HostContext.of(ctx, attempt, Instant.now()));
        params.set("input", input);
        return params;
    }

    @Override
    public PollAnswer poll(String export, PendingWork work) throws Exception {
        if (!abilities.poll())
            return ToolModule.super.poll(export, work);
        JsonNode answer = ask("poll", export, work);
        return switch (answer.path("state").stringValue("")) {
            case "running" -> {
                JsonNode percent = answer.path("percent");
                yield PollAnswer.running(percent.isNumber() ? Double.valueOf(percent.doubleValue()) : null,
                        answer.path("message").stringValue(null));
            }
            case "completed" -> PollAnswer.completed(answer.path("output"));
            case "failed" -> PollAnswer.failed(HostErrors.reported(answer.path("error")));
            default -> throw HostErrors.unreadable(spec.name(), "`poll` answered with the state "
                    + answer.path("state") + ", which is none of running, completed, failed");
        };
    }

    @Override
    public void cancel(String export, PendingWork work) throws Exception {
        if (abilities.cancel())
            ask("cancelWork", export, work);
    }

    private JsonNode ask(String method, String export, PendingWork work)
            throws HostDownException, InterruptedException {
        HostProcess process = use.host().process();
        loaded(process);
        ObjectNode params = JsonNodeFactory.instance.objectNode().put("tool", spec.name()).put("export", export);
        params.set("work", HostContext.of(work));
        return switch (process.send(method, params, HostRequest.Listener.NONE).await()) {
            case Answered(JsonNode result) -> result;
            case HostReply.Failed failed -> throw HostErrors.failed(failed);
            case HostReply.Unreadable(String reason) -> throw HostErrors.unreadable(spec.name(), reason);
            case HostReply.Lost(String reason) -> throw new HostDownException(reason);
            case HostReply.NotSent(String reason) -> throw new HostDownException(reason);
        };
    }

    /// Returns the error of a call for which there is no process.
    ToolException down(String reason) {
        return HostErrors.down(spec.name(), reason);
    }

    @Override
    public void close() {
        use.release().run();
    }
}
