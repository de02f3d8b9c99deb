package dev.toolfleet.bundle.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.Glob;
import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.PolicyRule;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.RuleSource;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.bundle.ToolSpec;
import org.jspecify.annotations.Nullable;

/// Tools of a bundle that rules name without a star, and the effect of such a rule's other fields on them. A rule with
/// a star may mean other bundles' tools, which are not known here.
final class NamedTools {
    private record Named(ToolExport export, String entry) {}

    private final Map<String, Named> byName = new HashMap<>();

    NamedTools(Bundle bundle) {
        for (Resource resource : bundle.ofKind(Kinds.TOOL))
            read(resource)
                    .ifPresent(tool -> tool.exports().stream().filter(export -> tool.nameProblem(export).isEmpty())
                            .forEach(export -> byName.put(tool.fullName(export).toLowerCase(Locale.ROOT),
                                    new Named(export, tool.entryKind().text()))));
    }

    /// Returns the reason why a rule applies to none of the tools that it names, as a clause; empty when it applies to
    /// one, or may apply.
    Optional<String> noneFits(PolicyRule rule) {
        List<String> misfits = new ArrayList<>();
        for (Glob glob : rule.selector().tools()) {
            Optional<String> misfit = Optional.ofNullable(known(glob))
                    .flatMap(named -> misfit(rule.selector(), glob.toString(), named));
            if (misfit.isEmpty())
                return Optional.empty();
            misfits.add(misfit.get());
        }
        return misfits.isEmpty() ? Optional.empty() : Optional.of(String.join(", and ", misfits));
    }

    /// True if a rule names only tools that move money or goods.
    boolean allTransactional(PolicyRule rule) {
        List<Glob> names = rule.selector().tools();
        return !names.isEmpty() && names.stream().map(this::known)
                .allMatch(named -> named != null && named.export().policy().isTransactional());
    }

    private static Optional<String> misfit(RuleSelector selector, String name, Named named) {
        ToolExport export = named.export();
        if (!selector.fitsEntry(named.entry()))
            return Optional.of(name + " has the entry " + named.entry());
        Optional<String> group = export.policy().group().map(RuleSelector::group);
        if (!selector.groups().isEmpty() && group.filter(selector.groups()::contains).isEmpty())
            return Optional.of(name + " has " + group.map(own -> "the group " + own).orElse("no group"));
        if (!selector.flags().isEmpty() && ToolFlag.of(export).stream().noneMatch(selector.flags()::contains))
            return Optional.of(name + " has none of the flags");
        if (!selector.sources().isEmpty() && selector.sources().stream()
                .noneMatch(source -> source.covers(RuleSource.CONFIG)))
            return Optional.of(name + " comes from this bundle");
        return Optional.empty();
    }

    private @Nullable Named known(Glob glob) {
        return byName.get(glob.toString());
    }

    /// Reads a Tool; empty when it has errors, which are reported elsewhere.
    private static Optional<ToolSpec> read(Resource tool) {
        try {
            return Optional.of(ToolSpec.of(tool.document()));
        } catch (InvalidResourceException e) {
            return Optional.empty();
        }
    }
}
