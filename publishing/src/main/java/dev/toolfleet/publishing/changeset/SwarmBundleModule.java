package dev.toolfleet.publishing.changeset;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

import dev.toolfleet.json.Json;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.resources.ChangesetRules;
import dev.toolfleet.resources.DeclaredAgent;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.tool.Operand;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.tools.args.Arguments;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `swarm-bundle`: an agent changes the bundle that declares it, as far as its Swarm allows.
public final class SwarmBundleModule implements ToolModule {
    private static final String COMMIT = "commitChangeset";
    private static final String ID = "changesetId";
    private static final int MOST_DECLARED = 1_000;

    private final Optional<Changesets> changesets;
    private final Supplier<FleetResources> resources;
    /// Digests of what calls declared that they would commit, by the calls' keys. The oldest go first.
    private final Map<String, String> declared = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST_DECLARED;
        }
    });

    /// @param changesets empty on a worker without a repository
    /// @param resources the fleet's declarations of the moment
    public SwarmBundleModule(Optional<Changesets> changesets, Supplier<FleetResources> resources) {
        this.changesets = changesets;
        this.resources = resources;
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("openChangeset", (ctx, input) -> ToolOutput.of(open(ctx, new Arguments(input))), COMMIT,
                (ctx, input) -> ToolOutput.of(commit(ctx, new Arguments(input))), "discardChangeset",
                (ctx, input) -> ToolOutput.of(discard(ctx, new Arguments(input))), "status",
                (ctx, input) -> ToolOutput.of(status(ctx, new Arguments(input))));
    }

    /// The changes of a commit: who approves it sees them, and approves no others.
    @Override
    public List<Operand> operands(String export, ToolContext context, ObjectNode input) throws Exception {
        if (!export.equals(COMMIT))
            return List.of();
        Optional<Proposal> proposal = room().proposal(author(context), input.path(ID).asString(""),
                input.path("message").asString(""));
        proposal.ifPresent(each -> declared.put(context.idempotencyKey(), each.digest()));
        return proposal.map(each -> each.operands(ID)).orElse(List.of());
    }

    private ObjectNode open(ToolContext ctx, Arguments args) throws InterruptedException {
        Changesets room = room();
        Author author = author(ctx);
        if (!author.rules().enabled())
            throw new ToolException("E_CHANGESETS_OFF", "No Swarm of the agent " + author.agent()
                    + " enables changesets.").suggestion("Have its author set policy.changesets.enabled.");
        OpenChangeset opened = room.open(author, args.text("reason", ""));
        return Answers.opened(opened, new Workdirs(ctx.workdir()).folder(opened.changesetId()));
    }

    private ObjectNode commit(ToolContext ctx, Arguments args) throws InterruptedException {
        String id = args.requiredText(ID);
        return Answers.committed(id, room().commit(author(ctx), id, args.text("message", ""),
                Optional.ofNullable(declared.remove(ctx.idempotencyKey()))));
    }

    private ObjectNode discard(ToolContext ctx, Arguments args) throws InterruptedException {
        String id = args.requiredText(ID);
        room().discard(author(ctx), id);
        return Json.MAPPER.createObjectNode().put("status", "ok").put(ID, id);
    }

    private ObjectNode status(ToolContext ctx, Arguments args) throws InterruptedException {
        Changesets room = room();
        Author author = author(ctx);
        Changesets.State state = room.state(author);
        ObjectNode answer = Json.MAPPER.createObjectNode().put("activeRef", state.activeRef())
                .put("applied", state.applied());
        ArrayNode open = answer.putArray("changesets");
        Workdirs workdirs = new Workdirs(ctx.workdir());
        String one = args.text(ID, "");
        for (OpenChangeset changeset : state.open()) {
            ObjectNode shown = Answers.open(changeset, workdirs.folder(changeset.changesetId()))
                    .put("reason", changeset.reason()).put("openedAt", changeset.openedAt().toString());
            if (changeset.changesetId().equals(one))
                room.judge(author, one).ifPresent(judged -> {
                    shown.set("summary", Answers.summary(judged.changes()));
                    judged.outcome().ifPresent(outcome -> shown.set("commit", Answers.committed(one, outcome)));
                });
            open.add(shown);
        }
        return answer;
    }

    private Changesets room() {
        return changesets.orElseThrow(() -> new ToolException("E_CHANGESETS_OFF",
                "This worker has no repository for changesets.")
                .suggestion("Have the operator set worker.changesets.repository."));
    }

    private Author author(ToolContext ctx) {
        String agent = Objects.requireNonNullElse(ctx.agentName(), "");
        FleetResources now = resources.get();
        @Nullable
        DeclaredAgent declared = now.agent(agent).orElse(null);
        if (declared == null)
            throw new ToolException("E_CHANGESETS_OFF", "No bundle declares the agent '" + agent
                    + "', so it has none to change.").suggestion("Name the agent in the call as agentName.");
        ToolContext.Caller caller = ctx.caller();
        return new Author(declared.bundle(), agent, ctx.instanceKey(),
                new PolicyCaller(caller.userId(), caller.channelId(), agent), ChangesetRules.of(now, agent),
                ctx.toolCallId(), ctx.idempotencyKey(), ctx.workdir());
    }
}
