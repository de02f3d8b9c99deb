package dev.toolfleet.worker.policy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.Policy;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.policy.PolicyDecision;
import dev.toolfleet.policy.PolicyQuery;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.policy.PolicyVerdict;
import dev.toolfleet.policy.ShadowVerdict;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// Policy gate by the bundles' present declarations, whatever a catalog showed.
///
/// **Contract.** The policy is compiled once for each change of the bundles, so a new revision counts from the next
/// call on. A failure of the policy denies the call.
///
/// **Threads.** Thread-safe.
public final class BundlePolicyGate implements PolicyGate {
    private static final Logger LOG = LoggerFactory.getLogger(BundlePolicyGate.class);

    private static final int MAX_TOOLS = 4096;

    private final Supplier<FleetResources> resources;
    private final InstantSource clock;
    private final ReentrantLock compiling = new ReentrantLock();
    private volatile Compiled compiled = compile(FleetResources.EMPTY);

    /// @param asked policy view of the catalogs' tools, each looked up once
    private record Compiled(FleetResources resources, Policy policy, Map<CatalogTool, PolicyTool> asked) {
        Compiled(FleetResources resources, Policy policy) {
            this(resources, policy, new ConcurrentHashMap<>());
        }

        PolicyTool tool(CatalogTool tool) {
            PolicyTool known = asked.get(tool);
            if (known != null)
                return known;
            PolicyTool found = PolicyTool.of(resources, tool.item());
            // It may be full of tools of catalogs that are gone.
            if (asked.size() >= MAX_TOOLS)
                asked.clear();
            asked.put(tool, found);
            return found;
        }
    }

    /// @param resources the bundles' declarations; the same object until they change
    /// @param clock ends operators' switches that hold for a time
    public BundlePolicyGate(Supplier<FleetResources> resources, InstantSource clock) {
        this.resources = resources;
        this.clock = clock;
    }

    private static Compiled compile(FleetResources resources) {
        return new Compiled(resources, Policy.compile(resources));
    }

    @Override
    public Ruling rule(ToolCall call, CatalogTool tool, List<AddedLabel> labels) {
        try {
            Compiled now = current();
            PolicyTool asked = now.tool(tool);
            PolicyQuery query = query(call, asked, labels);
            Instant at = clock.instant();
            PolicyDecision decision = now.policy().decide(query, at);
            return ruling(call, new Ruling.Basis(decision, asked.flags().contains(ToolFlag.ACCESSES_SENSITIVE_DATA),
                    shadows(now.policy(), query, decision, at), labels));
        } catch (Throwable e) {
            // Any failure: a call without a decision is not allowed (G5 in `docs/guarantees.md`).
            LOG.atError().setCause(Unquoted.of(e)).addKeyValue(LogKeys.TOOL, call.name())
                    .addKeyValue(LogKeys.CALL_ID, call.id())
                    .log("policy failed, call denied");
            return new Ruling.Denied(Ruling.Basis.NONE, ToolError.of(ErrorCode.E_TOOL_DENIED,
                    "The fleet's policy failed while it decided about '" + call.name() + "', so the call is denied: "
                            + e.getClass().getSimpleName()));
        }
    }

    @Override
    public boolean dependsOnMore(ToolCall call, CatalogTool tool, List<AddedLabel> labels) {
        try {
            Compiled now = current();
            return now.policy().readsLabels()
                    && now.policy().dependsOnMoreLabels(query(call, now.tool(tool), labels), clock.instant());
        } catch (Throwable e) {
            // The ruling fails in the same way, and denies the call.
            return false;
        }
    }

    private static PolicyQuery query(ToolCall call, PolicyTool asked, List<AddedLabel> labels) {
        return new PolicyQuery(asked, new PolicyCaller(call.userId(), call.channelId(), call.agentName()), call.args(),
                names(labels));
    }

    private static Set<String> names(List<AddedLabel> labels) {
        return labels.isEmpty()
                ? Set.of()
                : labels.stream().map(AddedLabel::label).collect(Collectors.toUnmodifiableSet());
    }

    /// Returns the shadow rules that would have changed the verdict. A failure leaves them out.
    /// Otherwise: a bug in a rule that must change nothing denies the call.
    private static List<ShadowVerdict> shadows(Policy policy, PolicyQuery query, PolicyDecision decision, Instant at) {
        try {
            List<ShadowVerdict> judged = policy.shadows(query, decision, at);
            return judged.isEmpty() ? judged : judged.stream().filter(ShadowVerdict::changes).toList();
        } catch (RuntimeException | StackOverflowError e) {
            LOG.atError().setCause(Unquoted.of(e)).addKeyValue(LogKeys.TOOL, query.tool().name())
                    .log("shadow rules failed, call judged without them");
            return List.of();
        }
    }

    private static Ruling ruling(ToolCall call, Ruling.Basis basis) {
        return switch (requireNonNull(basis.decision()).verdict()) {
            case PolicyVerdict.Allowed _ -> new Ruling.Allowed(basis);
            case PolicyVerdict.Denied(Cause cause) -> new Ruling.Denied(basis, ToolError.of(ErrorCode.E_TOOL_DENIED,
                    "Policy denies '" + call.name() + "': " + cause.reason() + " (rule " + cause.rule() + ")"));
            case PolicyVerdict.ApprovalRequired(var asking) -> new Ruling.Asked(basis, asking);
        };
    }

    /// Returns the compiled policy. Renewed leases make other resources of the same bundles: nothing is compiled for
    /// them.
    @SuppressWarnings("ReferenceEquality") // A view that was not replaced is the same object.
    private Compiled current() {
        FleetResources now = requireNonNull(resources.get());
        Compiled last = compiled;
        if (last.resources() == now)
            return last;
        compiling.lock();
        try {
            last = compiled;
            if (last.resources() != now) {
                last = last.resources().bundles().equals(now.bundles())
                        ? new Compiled(now, last.policy())
                        : compile(now);
                compiled = last;
            }
            return last;
        } finally {
            compiling.unlock();
        }
    }
}
