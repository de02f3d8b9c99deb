package dev.toolfleet.worker.guard;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.DeclaredAgent;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.wire.GuardFacts;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// The guard of a fleet: decode, control characters, markup, redaction, check, cutting, in this order
/// (`docs/guard.md`).
///
/// **Contract.** Each reply is guarded by the ResultGuards that the bundles declare at this moment. JSON in, JSON out.
///
/// **Threads.** Thread-safe. It compiles the guards once for each state of the bundles.
public final class FleetGuard implements ResultGuard {
    /// Greatest depth of a tree; deeper ones can be neither written nor read.
    private static final int DEEPEST = 500;
    private static final int MAX_TOOLS = 4096;

    private final Supplier<FleetResources> resources;
    private final FleetSecrets secrets;
    private final IssuedTokens tokens;
    private final long maxBytes;
    private volatile Compiled compiled;

    /// @param tools policy view of the bundles' own tools, each looked up once
    private record Compiled(SortedMap<String, BundleResources> bundles, GuardRules rules, KnownSecrets secrets,
            Map<Called, PolicyTool> tools) {}

    private record Called(ToolRef ref, String name) {}

    /// @param resources the present declarations of the bundles
    /// @param secrets that this process holds
    /// @param maxBytes the longest output of a result, whatever a ResultGuard allows
    public FleetGuard(Supplier<FleetResources> resources, FleetSecrets secrets, long maxBytes) {
        this(resources, secrets, new IssuedTokens(), maxBytes);
    }

    /// @param resources the present declarations of the bundles
    /// @param secrets that this process holds
    /// @param tokens that calls got
    /// @param maxBytes the longest output of a result, whatever a ResultGuard allows
    public FleetGuard(Supplier<FleetResources> resources, FleetSecrets secrets, IssuedTokens tokens, long maxBytes) {
        this.resources = resources;
        this.tokens = tokens;
        this.secrets = secrets;
        this.maxBytes = maxBytes;
        this.compiled = compile(resources.get());
    }

    private Compiled compile(FleetResources now) {
        return new Compiled(now.bundles(), GuardRules.of(now), KnownSecrets.of(secrets.values(now)).with(tokens),
                new ConcurrentHashMap<>());
    }

    /// Returns the compiled guards. Revisions are compared, so that a renewed lease costs nothing.
    @SuppressWarnings("ReferenceEquality")
    private Compiled compiled(FleetResources now) {
        Compiled last = compiled;
        if (last.bundles() == now.bundles() || last.bundles().equals(now.bundles()))
            return last;
        Compiled next = compile(now);
        compiled = next;
        return next;
    }

    @Override
    public Guarded guard(GuardedCall call, ToolReply reply) {
        FleetResources now = resources.get();
        Compiled state = compiled(now);
        // No ResultGuard changes a question to a person.
        if (call.question() && reply instanceof ToolReply.Pending question)
            return new QuestionGuard(state.secrets(), maxBytes).of(question);
        String agentBundle = call.agent() == null
                ? null
                : now.agent(call.agent()).map(DeclaredAgent::bundle).orElse(null);
        return switch (state.rules().of(tool(state, now, call, agentBundle), agentBundle)) {
            case GuardRules.Ruling.Unreadable(String guard) -> withheld(guard, reply);
            case GuardRules.Ruling.Settled(GuardSettings settings) ->
                new Pass(settings, state.secrets()).of(reply);
        };
    }

    private static PolicyTool tool(Compiled state, FleetResources now, GuardedCall call,
            @Nullable String agentBundle) {
        ToolRef ref = call.ref();
        // Tools of extensions may change while the bundles stay.
        if (ref == null || RegistrationOwner.isNamespace(ref.bundle()))
            return tool(now, call, agentBundle);
        Called called = new Called(ref, call.tool());
        PolicyTool known = state.tools().get(called);
        if (known != null)
            return known;
        PolicyTool found = tool(now, call, agentBundle);
        // Names that callers invented are not kept for ever.
        if (state.tools().size() >= MAX_TOOLS)
            state.tools().clear();
        state.tools().put(called, found);
        return found;
    }

    /// Returns the tool of a call. A tool that is not declared any more counts as one that may have reached anything.
    private static PolicyTool tool(FleetResources now, GuardedCall call, @Nullable String agentBundle) {
        ToolRef ref = call.ref();
        if (ref == null)
            ref = named(now, call.tool(), agentBundle).orElse(null);
        Optional<PolicyTool> found = Optional.ofNullable(ref).flatMap(known -> now.tool(known)
                .flatMap(declared -> declared.export(known.export())
                        .map(export -> PolicyTool.of(declared, export, call.tool()))));
        return found.orElseGet(() -> new PolicyTool(call.tool(), "", ToolSource.CONFIG, null,
                Set.of(ToolFlag.OPEN_WORLD), null));
    }

    /// Finds the tool of a call that ended before its tool was known; its agent's bundle comes first.
    private static Optional<ToolRef> named(FleetResources now, String name, @Nullable String agentBundle) {
        Stream<BundleResources> own = agentBundle == null ? Stream.empty() : now.bundle(agentBundle).stream();
        Stream<BundleResources> builtIn = now.bundle(FleetResources.BUILT_IN).stream();
        return Stream.concat(
                Stream.concat(Stream.concat(own, builtIn), now.bundles().values().stream())
                        .flatMap(bundle -> bundle.called(name).stream()),
                now.registrations().values().stream().flatMap(each -> each.called(name).stream())).findFirst();
    }

    private static Guarded withheld(String guard, ToolReply reply) {
        String why = "ResultGuard " + guard
                + " cannot be read by this worker, so the result that it guards is withheld;"
                + " validate it and apply it again.";
        return new Guarded(switch (reply) {
            case ToolReply.Ok _ -> new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID, why));
            // The work goes on, and its end needs the handle.
            case ToolReply.Pending(var handle, var _, var heartbeat, var token, var _) ->
                new ToolReply.Pending(handle, NullNode.instance, heartbeat, token);
            case ToolReply.Failed(ToolError error) ->
                new ToolReply.Failed(new ToolError(error.code(), null, why, null, null));
        }, null);
    }

    /// Guard of one reply.
    private final class Pass {
        private final GuardSettings settings;
        private final KnownSecrets known;

        Pass(GuardSettings settings, KnownSecrets known) {
            this.settings = settings;
            this.known = known;
        }

        Guarded of(ToolReply reply) {
            try {
                return switch (reply) {
                    case ToolReply.Ok(JsonNode output) -> ok(output);
                    case ToolReply.Pending pending -> pending(pending);
                    case ToolReply.Failed(ToolError error) -> failed(error);
                };
            } catch (JacksonException e) {
                // The exception's message may quote unguarded text.
                return new Guarded(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID,
                        "The call's answer is not JSON: " + e.getClass().getSimpleName())), null);
            }
        }

        private Guarded ok(@Nullable JsonNode output) {
            if (output == null || output.isNull() || output.isMissingNode()) {
                StringNode nothing = StringNode.valueOf(Markers.NO_RESULT);
                return new Guarded(new ToolReply.Ok(nothing), new GuardFacts(false, false,
                        output == null ? 0 : JsonSize.of(output), JsonSize.of(nothing)));
            }
            if (isTooDeep(output, 0))
                return new Guarded(new ToolReply.Failed(tooDeep()), null);
            TextGuard texts = new TextGuard(settings, known, false);
            JsonNode clean = new TreeGuard(texts).guard(output);
            long size = JsonSize.of(clean);
            JsonNode fitted = Truncation.fit(clean, size, settings.maxContentLength(), maxBytes);
            return new Guarded(new ToolReply.Ok(fitted), facts(texts, output, clean, fitted, size));
        }

        private Guarded pending(ToolReply.Pending pending) {
            JsonNode output = pending.output();
            TextGuard texts = new TextGuard(settings, known, false);
            String target = pending.target() == null ? null : texts.value(pending.target(), FieldName.NONE);
            if (output == null || output.isNull() || output.isMissingNode())
                return new Guarded(new ToolReply.Pending(pending.handle(), output, pending.heartbeatTimeout(),
                        pending.token(), target),
                        new GuardFacts(false, texts.redacted(), output == null ? 0 : JsonSize.of(output),
                                output == null ? 0 : JsonSize.of(output)));
            if (isTooDeep(output, 0))
                return new Guarded(new ToolReply.Failed(tooDeep()), null);
            JsonNode clean = new TreeGuard(texts).guard(output);
            long size = JsonSize.of(clean);
            JsonNode fitted = Truncation.fit(clean, size, settings.maxContentLength(), maxBytes);
            return new Guarded(
                    new ToolReply.Pending(pending.handle(), fitted, pending.heartbeatTimeout(), pending.token(),
                            target),
                    facts(texts, output, clean, fitted, size));
        }

        private Guarded failed(ToolError error) {
            TextGuard texts = new TextGuard(settings, known, true);
            ObjectNode tree = Json.MAPPER.valueToTree(error);
            JsonNode clean = new TreeGuard(texts).guard(tree);
            ToolError guarded = new ToolError(clean.path("code").asString(), text(clean, "name"),
                    clean.path("message").asString(), text(clean, "suggestion"), text(clean, "helpUrl"));
            long excess = JsonSize.of(clean) - settings.maxContentLength();
            ToolError fitted = excess <= 0
                    ? guarded
                    : guarded.saying(CutText.of(guarded.message(),
                            (int) Math.max(0, JsonSize.text(guarded.message()) - excess)));
            JsonNode after = Json.MAPPER.valueToTree(fitted);
            return new Guarded(new ToolReply.Failed(fitted), new GuardFacts(texts.cut() || excess > 0, texts.redacted(),
                    JsonSize.of(tree), JsonSize.of(after)));
        }

        /// @param size of `clean`
        @SuppressWarnings("ReferenceEquality") // An unchanged or fitting node is the same object.
        private static GuardFacts facts(TextGuard texts, JsonNode output, JsonNode clean, JsonNode fitted, long size) {
            return new GuardFacts(texts.cut() || fitted != clean, texts.redacted(),
                    output == clean ? size : JsonSize.of(output),
                    fitted == clean ? size : JsonSize.of(fitted));
        }

        private static @Nullable String text(JsonNode node, String field) {
            return node.path(field).isString() ? node.path(field).stringValue() : null;
        }

        private static ToolError tooDeep() {
            return ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID,
                    "The tool's result is nested deeper than " + DEEPEST + " levels.");
        }

    }

    /// True if a tree is too deep to be written or read.
    static boolean isTooDeep(JsonNode node, int depth) {
        if (depth > DEEPEST)
            return true;
        if (node.isContainer()) {
            for (JsonNode child : node) {
                if (child.isContainer() && isTooDeep(child, depth + 1))
                    return true;
            }
        }
        return false;
    }
}
