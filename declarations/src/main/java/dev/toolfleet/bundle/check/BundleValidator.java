package dev.toolfleet.bundle.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.yaml.BundleLoader.LoadResult;

/// Validator of bundles: checks a bundle against every rule, and goes on after each problem. Several threads may use
/// it.
public final class BundleValidator {
    private final BuiltIns builtIns;
    private final ParameterSchemas schemas = new ParameterSchemas();

    /// @param builtIns the targets of references beside the bundle's own resources
    public BundleValidator(BuiltIns builtIns) {
        this.builtIns = builtIns;
    }

    /// Reports the findings of the loader and the rules.
    public BundleReport validate(LoadResult loaded) {
        Bundle bundle = loaded.bundle();
        Findings findings = new Findings();
        BundleRules.check(bundle, findings);
        for (Resource resource : bundle.resources()) {
            check(resource, bundle, findings);
        }
        RuleConflicts.check(bundle, findings);
        List<BundleProblem> problems = new ArrayList<>(loaded.problems());
        problems.addAll(findings.problems());
        problems.sort(Comparator.comparing(BundleProblem::file).thenComparingInt(BundleProblem::line)
                .thenComparingInt(BundleProblem::column).thenComparing(BundleProblem::severity));
        return new BundleReport(bundle, List.copyOf(problems));
    }

    private void check(Resource resource, Bundle bundle, Findings findings) {
        Place document = Place.document(resource);
        if (resource.apiVersion().isEmpty()) {
            return;
        }
        Optional<Dialect> dialect = Dialect.ALL.stream().filter(d -> d.apiVersion().equals(resource.apiVersion()))
                .findFirst();
        if (dialect.isEmpty()) {
            List<String> versions = Dialect.ALL.stream().map(Dialect::apiVersion).toList();
            findings.error(ProblemCode.E_CONFIG_UNSUPPORTED_API_VERSION, document.get("apiVersion"),
                    "apiVersion '" + resource.apiVersion() + "' is not supported.", Nearest.hint(resource.apiVersion(),
                            versions, "Write " + String.join(", ", versions) + "."));
        } else if (!dialect.get().kinds().contains(resource.kind())) {
            unknownKind(document, dialect.get(), findings);
        } else {
            dialect.get().check(document, new Check(bundle, builtIns, findings, schemas));
        }
    }

    private static void unknownKind(Place document, Dialect dialect, Findings findings) {
        String kind = document.resource().kind();
        String hint = Kinds.FLEET.contains(kind)
                ? kind + " is a kind of apiVersion: " + Kinds.TOOLFLEET_V1 + "."
                : kind.equals(OperatorDenial.KIND)
                        ? "Operators use toolfleet policy deny; a bundle has kind: ToolPolicy."
                        : Nearest.hint(kind, dialect.kinds(),
                                "There is: " + String.join(", ", new TreeSet<>(dialect.kinds())) + ".");
        findings.error(ProblemCode.E_CONFIG_UNKNOWN_KIND, document.get("kind"),
                dialect.apiVersion() + " has no kind '" + kind + "'.", hint);
    }
}
