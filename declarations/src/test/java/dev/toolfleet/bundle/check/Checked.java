package dev.toolfleet.bundle.check;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.yaml.BundleLoader;

/// Validates bundles that tests write in place, against a small built-in bundle.
final class Checked {
    private static final BuiltIns BUILT_INS = new BuiltIns() {
        @Override
        public Set<String> names(String kind) {
            return switch (kind) {
                case "Tool" -> Set.of("bash", "file-system");
                case "Extension" -> Set.of("logging");
                default -> Set.of();
            };
        }

        @Override
        public Optional<Set<String>> exports(String tool) {
            return tool.equals("bash") ? Optional.of(Set.of("exec", "script")) : Optional.empty();
        }
    };
    private static final BundleValidator VALIDATOR = new BundleValidator(BUILT_INS);

    private Checked() {}

    static BundleReport yaml(String text) {
        return files("goondan.yaml", text);
    }

    static BundleReport files(String... namesAndTexts) {
        SequencedMap<String, String> files = new LinkedHashMap<>();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            files.put(namesAndTexts[i], namesAndTexts[i + 1]);
        }
        return VALIDATOR.validate(BundleLoader.parse(Path.of("no-such-folder"), files));
    }

    /// A Tool with one export, to which `export` adds lines (indented by six spaces).
    static BundleReport export(String export) {
        return tool("""
                  entry: java:com.acme.Builds
                  exports:
                    - name: start
                      description: Starts a build
                """ + export.indent(6));
    }

    /// Validates a Tool with the given spec, indented by two spaces.
    static BundleReport tool(String spec) {
        return yaml("""
                apiVersion: goondan.ai/v1
                kind: Tool
                metadata:
                  name: builds
                spec:
                """ + spec);
    }

    static List<BundleProblem> at(BundleReport report, Severity severity) {
        return report.problems().stream().filter(problem -> problem.severity() == severity).toList();
    }

    static boolean found(BundleReport report, Severity severity, ProblemCode code, String path) {
        return report.problems().stream().anyMatch(problem -> problem.severity() == severity && problem.code() == code
                && problem.path().equals(path));
    }
}
