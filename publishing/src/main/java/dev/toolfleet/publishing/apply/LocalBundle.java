package dev.toolfleet.publishing.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.BundleFiles;
import dev.toolfleet.bundle.BundleName;
import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.ProblemText;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.check.BundleReport;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.resources.RevisionPlan;
import org.jspecify.annotations.Nullable;

/// A valid bundle in a folder, with the name under which it is applied.
///
/// @param name its Package's, else the one that was given
public record LocalBundle(String name, Bundle bundle) {
    private static final Set<String> RESERVED = Stream
            .concat(BuiltIns.PACKAGES.stream(), Stream.of(OperatorDenial.BUNDLE)).collect(Collectors.toSet());

    /// A bundle that was checked and may be applied.
    ///
    /// @param given the name for a bundle without a Package; null when none was given
    /// @throws ApplyException (refused) that lists what is wrong with it
    public static LocalBundle of(BundleReport report, @Nullable String given) {
        List<BundleProblem> wrong = report.problems().stream().filter(LocalBundle::forbidsApplying).toList();
        if (!wrong.isEmpty()) {
            List<String> lines = new ArrayList<>();
            lines.add("the bundle " + report.bundle().folder() + " is not valid: " + ProblemText.summary(wrong));
            wrong.forEach(problem -> lines.add(ProblemText.of(problem)));
            throw ApplyException.refused(String.join("\n", lines));
        }
        return new LocalBundle(name(report.bundle(), given), report.bundle());
    }

    /// The same for a fleet of one's own: a bundle without a Package is called like its folder.
    public static LocalBundle calledLikeItsFolder(BundleReport report) {
        Path last = report.bundle().folder().toAbsolutePath().normalize().getFileName();
        String folder = last == null
                ? ""
                : last.toString().replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[._-]+", "");
        return of(report, report.bundle().packageName().isPresent() ? null : folder.isEmpty() ? "bundle" : folder);
    }

    /// The folder.
    public Path folder() {
        return bundle.folder();
    }

    /// Resources to publish, with the digests of the files that they need.
    ///
    /// @throws ApplyException when a file cannot be read
    public List<RevisionPlan.Declared> declared() {
        try {
            List<RevisionPlan.Declared> declared = new ArrayList<>();
            List<SortedMap<String, String>> files = BundleFiles.of(bundle);
            for (int i = 0; i < files.size(); i++)
                declared.add(new RevisionPlan.Declared(bundle.resources().get(i).document(), files.get(i)));
            return declared;
        } catch (IOException e) {
            throw ApplyException.failed("a file of the bundle " + folder() + " cannot be read: " + e.getMessage(), e);
        }
    }

    /// The names of its Agents.
    public List<String> agents() {
        return bundle.ofKind(Kinds.AGENT).stream().map(Resource::name).toList();
    }

    private static boolean forbidsApplying(BundleProblem problem) {
        return problem.severity() == Severity.ERROR || problem.code() == ProblemCode.E_CONFIG_LITERAL_SECRET;
    }

    private static String name(Bundle bundle, @Nullable String given) {
        String declared = bundle.packageName().orElse(null);
        if (declared == null && given == null)
            throw ApplyException.refused("the bundle " + bundle.folder()
                    + " has no Package that names it; name it with --name, such as --name @acme/builds");
        if (declared != null && given != null && !declared.equals(given))
            throw ApplyException.refused("--name " + given + ": the bundle's Package calls it " + declared
                    + "; leave --name out");
        String name = declared == null ? String.valueOf(given) : declared;
        if (!BundleName.isValid(name) || RESERVED.contains(name) || name.startsWith("@fleet")
                || RegistrationOwner.isNamespace(name))
            throw ApplyException.refused("'" + name + "' cannot be the name of a bundle: it is "
                    + (BundleName.isValid(name) ? "the fleet's own" : "no name such as builds or @acme/builds")
                    + "; change it in the Package, or give another --name");
        return name;
    }
}
