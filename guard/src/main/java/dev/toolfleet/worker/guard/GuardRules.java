package dev.toolfleet.worker.guard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;

import com.google.re2j.Pattern;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ResultGuardSpec;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.RuleSource;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import org.jspecify.annotations.Nullable;

/// ResultGuards of one state of the fleet's bundles, compiled.
///
/// **Contract.** For each switch the most specific guard that sets it counts: by its selector, then a guard of the own
/// bundle before one that reaches the fleet. Of several equal guards the strictest counts, so that neither names nor
/// the order of bundles decide. Patterns add up.
final class GuardRules {
    /// Most tools whose ruling is remembered; others are ruled each time.
    private static final int MAX_TOOLS = 4096;

    /// @param spec null if this worker cannot read it
    private record Rule(String bundle, String name, @Nullable ResultGuardSpec spec, boolean fleetWide) {
        int specificity() {
            return spec == null ? 0 : spec.selector().specificity();
        }
    }

    private record Asked(PolicyTool tool, @Nullable String agentBundle) {}

    /// Ruling for a tool: its settings, or a guard that cannot be read.
    sealed interface Ruling {
        record Settled(GuardSettings settings) implements Ruling {}

        record Unreadable(String guard) implements Ruling {}
    }

    private final List<Rule> rules = new ArrayList<>();
    private final Map<String, Pattern> patterns = new HashMap<>();
    private final Map<Asked, Ruling> known = new ConcurrentHashMap<>();

    private GuardRules() {}

    static GuardRules of(FleetResources resources) {
        GuardRules compiled = new GuardRules();
        for (BundleResources bundle : resources.bundles().values()) {
            for (ResourceRecord record : bundle.ofKind(Kinds.RESULT_GUARD)) {
                String name = record.resource().path("metadata").path("name").asString("");
                ResultGuardSpec spec = bundle.guards().get(name);
                boolean fleet = record.resource().path("spec").path("reach").asString("").equals("fleet");
                compiled.rules.add(new Rule(bundle.name(), name, spec, fleet));
                if (spec != null)
                    spec.redactPatterns().forEach(
                            pattern -> compiled.patterns.computeIfAbsent(pattern, Pattern::compile));
            }
        }
        compiled.rules.sort(Comparator.comparing(Rule::bundle).thenComparing(Rule::name));
        return compiled;
    }

    /// @param agentBundle that declares the calling agent; null if none does
    Ruling of(PolicyTool tool, @Nullable String agentBundle) {
        Asked asked = new Asked(tool, agentBundle);
        Ruling ruling = known.get(asked);
        if (ruling == null) {
            ruling = rule(asked);
            if (known.size() < MAX_TOOLS)
                known.put(asked, ruling);
        }
        return ruling;
    }

    private Ruling rule(Asked asked) {
        List<Rule> about = rules.stream().filter(rule -> isAbout(rule, asked)).toList();
        Optional<Rule> unreadable = about.stream().filter(rule -> rule.spec() == null).findFirst();
        if (unreadable.isPresent())
            return new Ruling.Unreadable(unreadable.get().bundle() + "/" + unreadable.get().name());
        boolean openWorld = asked.tool().flags().contains(ToolFlag.OPEN_WORLD);
        return new Ruling.Settled(new GuardSettings(
                about(about, asked, ResultGuardSpec::maxContentLength, value -> true, Math::min)
                        .orElse(GuardSettings.MAX_CONTENT_LENGTH),
                about.stream().flatMap(rule -> specs(rule).stream()).map(ResultGuardSpec::redactPatterns)
                        .flatMap(Collection::stream).distinct().sorted()
                        .flatMap(pattern -> Optional.ofNullable(patterns.get(pattern)).stream()).toList(),
                on(about, asked, ResultGuardSpec::stripControlCharacters).orElse(true)
                        ? GuardSettings.Unseen.TAKEN_OUT
                        : GuardSettings.Unseen.KEPT,
                on(about, asked, ResultGuardSpec::sanitizeHtml).orElse(openWorld),
                about(about, asked, ResultGuardSpec::allowHtml, allowed -> !allowed, Boolean::logicalAnd)
                        .orElse(false),
                on(about, asked, ResultGuardSpec::redactFinancialData).orElse(true),
                on(about, asked, ResultGuardSpec::redactSecrets).orElse(true)));
    }

    private static Optional<Boolean> on(List<Rule> about, Asked asked,
            Function<ResultGuardSpec, Optional<Boolean>> read) {
        return about(about, asked, read, value -> value, Boolean::logicalOr);
    }

    /// @param restricts true for values that a guard that reaches the fleet may set for other bundles' results
    /// @param stricter chooses between guards that are equally specific
    private static <T> Optional<T> about(List<Rule> about, Asked asked, Function<ResultGuardSpec, Optional<T>> read,
            Predicate<T> restricts, BinaryOperator<T> stricter) {
        Map<Integer, T> byRank = new HashMap<>();
        for (Rule rule : about) {
            boolean home = isHome(rule, asked);
            specs(rule).flatMap(read).filter(value -> home || restricts.test(value))
                    .ifPresent(value -> byRank.merge(rule.specificity() * 2 + (rule.fleetWide() ? 0 : 1), value,
                            stricter));
        }
        return byRank.entrySet().stream().max(Map.Entry.comparingByKey()).map(Map.Entry::getValue);
    }

    private static Optional<ResultGuardSpec> specs(Rule rule) {
        return Optional.ofNullable(rule.spec());
    }

    private static boolean isHome(Rule rule, Asked asked) {
        return rule.bundle().equals(asked.agentBundle()) || rule.bundle().equals(asked.tool().bundle());
    }

    private static boolean isAbout(Rule rule, Asked asked) {
        if (!rule.fleetWide() && !isHome(rule, asked))
            return false;
        return rule.spec() == null || selects(rule.spec().selector(), asked.tool());
    }

    private static boolean selects(RuleSelector selector, PolicyTool tool) {
        String name = tool.name().toLowerCase(Locale.ROOT);
        String group = tool.group() == null ? "" : RuleSelector.group(tool.group());
        RuleSource source = source(tool);
        return (selector.tools().isEmpty() || selector.tools().stream().anyMatch(glob -> glob.matchesLowerCase(name)))
                && selector.fitsEntry(tool.entry())
                && (selector.groups().isEmpty() || selector.groups().contains(group))
                && (selector.sources().isEmpty()
                        || selector.sources().stream().anyMatch(wanted -> wanted.covers(source)))
                && (selector.flags().isEmpty() || selector.flags().stream().anyMatch(tool.flags()::contains));
    }

    private static RuleSource source(PolicyTool tool) {
        if (!tool.source().equals(ToolSource.CONFIG))
            return RuleSource.parse(tool.source()).orElse(RuleSource.EXTENSION);
        return tool.bundle().equals(FleetResources.BUILT_IN) ? RuleSource.BUILT_IN : RuleSource.CONFIG;
    }
}
