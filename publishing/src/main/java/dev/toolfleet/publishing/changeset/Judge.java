package dev.toolfleet.publishing.changeset;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemText;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.policy.Policy;
import dev.toolfleet.policy.PolicyQuery;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.publishing.apply.ApplyException;
import dev.toolfleet.publishing.git.GitException;
import dev.toolfleet.publishing.git.GitFile;
import dev.toolfleet.resources.DeclaredTool;
import dev.toolfleet.wire.ToolSource;
import org.eclipse.jgit.lib.ObjectId;

/// Judges the changes of one author: rules of files and the wall first, then the bundle's own validity, then whether it
/// could be applied.
final class Judge {
    static final String VIOLATION = "POLICY_VIOLATION";

    private final Author author;
    private final Changesets.Setup setup;
    private final BundleCopies copies;

    Judge(Author author, Changesets.Setup setup, BundleCopies copies) {
        this.author = author;
        this.setup = setup;
        this.copies = copies;
    }

    /// @param now the files of the branch's head
    /// @param next the same with the changes
    /// @param contents those that are not in the repository yet
    Judgement judge(String baseRef, Changes changes, BundleCopies.Tree now, SortedMap<String, GitFile> next,
            Map<ObjectId, byte[]> contents) throws GitException {
        if (!author.rules().enabled())
            return rejected(disabled(baseRef, author), changes);
        try {
            BundleCopies.Read before = copies.read(author.bundle(), now.files(), Map.of());
            if (!before.report().valid())
                return rejected(new Outcome.Rejected(baseRef, "BUNDLE_REFUSED", "The newest commit of the branch is not"
                        + " a valid bundle (" + ProblemText.summary(before.report().problems())
                        + "), and has to be mended by hand first.", List.of(), List.of()), changes);
            BundleCopies.Read after = copies.read(author.bundle(), next, contents);
            NavigableMap<String, String> violations = Wall.violations(author.rules(), changes, before.bundle(),
                    after.bundle(), isShared());
            changes.paths().stream().filter(path -> now.isFolderOf(author.bundle(), path)).forEach(path -> violations
                    .put(path, "would make another folder the bundle's"));
            forbiddenTools(before.bundle(), after.bundle()).forEach(violations::putIfAbsent);
            if (!violations.isEmpty())
                return rejected(violation(baseRef, violations), changes);
            List<BundleProblem> errors = after.report().problems().stream()
                    .filter(problem -> problem.severity() == Severity.ERROR).toList();
            if (!errors.isEmpty())
                return rejected(new Outcome.Rejected(baseRef, errors.getFirst().code().name(),
                        "The bundle would not be valid: " + ProblemText.summary(errors), List.of(), errors), changes);
            var _ = setup.publisher().preview(author.bundle(), after.resources());
            return new Judgement(Optional.empty(), changes, now.below(), next);
        } catch (ApplyException e) {
            if (!e.refused())
                throw e;
            return rejected(new Outcome.Rejected(baseRef, "BUNDLE_REFUSED", String.valueOf(e.getMessage()), List.of(),
                    List.of()), changes);
        }
    }

    static Outcome.Rejected disabled(String baseRef, Author author) {
        return new Outcome.Rejected(baseRef, VIOLATION, "No Swarm of the agent " + author.agent()
                + " enables changesets.", List.of(), List.of());
    }

    /// True if another bundle depends on this one, whose agents then see its skills.
    private boolean isShared() {
        return setup.resources().get().bundles().values().stream()
                .filter(other -> !other.name().equals(author.bundle()))
                .flatMap(other -> other.ofKind(Kinds.PACKAGE).stream())
                .flatMap(record -> record.resource().at("/spec/dependencies").valueStream())
                .anyMatch(dependency -> author.bundle().equals(dependency.isString()
                        ? dependency.stringValue()
                        : dependency.path("name").asString("")));
    }

    private static Judgement rejected(Outcome.Rejected outcome, Changes changes) {
        return Judgement.of(outcome, changes);
    }

    private static Outcome.Rejected violation(String baseRef, SortedMap<String, String> violations) {
        return new Outcome.Rejected(baseRef, VIOLATION, violations.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue()).collect(Collectors.joining("; ")),
                List.copyOf(violations.keySet()), List.of());
    }

    /// Returns the files of Tools that would get an export which policy denies to the author.
    private Map<String, String> forbiddenTools(Bundle before, Bundle after) {
        Policy policy = Policy.compile(setup.resources().get());
        SortedMap<String, String> forbidden = new TreeMap<>();
        for (Resource tool : after.ofKind(Kinds.TOOL)) {
            spec(tool).ifPresent(spec -> {
                List<String> old = before.find(Kinds.TOOL, tool.name()).flatMap(Judge::spec).stream()
                        .flatMap(was -> was.exports().stream().map(was::fullName)).toList();
                DeclaredTool declared = new DeclaredTool(author.bundle(), 0, spec, Map.of(),
                        new ToolSource(ToolSource.CONFIG, tool.name()));
                for (ToolExport export : spec.exports()) {
                    PolicyTool asked = PolicyTool.of(declared, export, spec.fullName(export));
                    if (!old.contains(spec.fullName(export)) && policy
                            .decide(PolicyQuery.ofStep(asked, author.caller()), setup.clock().instant()).denied())
                        forbidden.put(tool.file(), tool.id() + ": policy denies its export " + export.name()
                                + " to the agent");
                }
            });
        }
        return forbidden;
    }

    private static Optional<ToolSpec> spec(Resource tool) {
        try {
            return Optional.of(ToolSpec.of(tool.document()));
        } catch (InvalidResourceException e) {
            return Optional.empty();
        }
    }
}
