package dev.toolfleet.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// `docs/architecture.md` has the modules, rows and types of the code.
class ArchitectureDocsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/architecture.md");
    private static final Pattern ROWS = Pattern.compile("ROWS = \"\"\"\n(.*?)\n *\"\"\"", Pattern.DOTALL);
    private static final Pattern QUOTED = Pattern.compile("<!-- rows of (\\S+) -->\n```text\n(.*?)\n```",
            Pattern.DOTALL);
    private static final Pattern MODULE = Pattern
            .compile("(?m)^\\| \\[([\\w-]+)]\\(\\.\\./\\1\\) \\| .* \\| (.*) \\|$");
    private static final Pattern DRAWING = Pattern.compile("```mermaid\n(.*?)```", Pattern.DOTALL);
    private static final Pattern EDGE = Pattern.compile("(?m)^ +([\\w-]+) --> ([\\w-]+)$");
    private static final Pattern TYPE = Pattern.compile("\\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\\b");
    private static final Pattern LINKED = Pattern.compile("\\[`([A-Z]\\w+)[^`]*`]\\(([^)]+)\\)");
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final Pattern OWN = Pattern.compile("<artifactId>toolfleet-(?!example)([\\w-]+)</artifactId>");

    @Test
    void everyLayersTestIsQuotedWithItsRows() throws IOException {
        Map<String, String> quoted = find(QUOTED, text(PAGE))
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
        Map<String, String> rows = new TreeMap<>();
        for (Path test : sources("src/test/java").filter(file -> file.endsWith("LayersTest.java")).toList()) {
            String name = ROOT.relativize(test).toString();
            assertThat(text(PAGE)).contains("](../" + name + ")");
            find(ROWS, text(test)).forEach(found -> rows.put(name, found.group(1).stripIndent()));
        }

        assertThat(rows).isNotEmpty().isEqualTo(quoted);
    }

    @Test
    void modulesDependOnThoseThatTheirPomsName() throws IOException {
        Map<String, Set<String>> described = new TreeMap<>();
        find(MODULE, text(PAGE)).forEach(row -> described.put(row.group(1),
                row.group(2).equals("—") ? Set.of() : new TreeSet<>(List.of(row.group(2).split(", ")))));

        assertThat(described).isNotEmpty().isEqualTo(dependencies());
    }

    @Test
    void theDrawingReachesTheSameModulesAsThePoms() throws IOException {
        Map<String, Set<String>> drawn = new TreeMap<>();
        find(EDGE, find(DRAWING, text(PAGE)).findFirst().orElseThrow().group(1)).forEach(
                edge -> drawn.computeIfAbsent(edge.group(1), from -> new TreeSet<>()).add(edge.group(2)));
        Map<String, Set<String>> needed = dependencies();

        assertThat(needed.keySet()).isNotEmpty()
                .allSatisfy(module -> assertThat(reached(module, drawn)).as(module).isEqualTo(reached(module, needed)));
    }

    @Test
    void everyTypeInADrawingExists() throws IOException {
        Set<String> types = find(DRAWING, text(PAGE)).flatMap(drawing -> find(TYPE, drawing.group(1)))
                .map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
        Set<String> known = sources("src/main/java").map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());

        assertThat(types).isNotEmpty().isSubsetOf(known);
    }

    @Test
    void aLinkedTypeLeadsToItsSource() throws IOException {
        List<MatchResult> links = find(LINKED, text(PAGE)).toList();

        assertThat(links).isNotEmpty()
                .allSatisfy(link -> assertThat(link.group(2)).endsWith("/" + link.group(1) + ".java"));
    }

    /// Returns each module with those on which it depends by its pom; left out are those for tests alone, and the images.
    private static Map<String, Set<String>> dependencies() throws IOException {
        Map<String, Set<String>> modules = new TreeMap<>();
        try (Stream<Path> folders = Files.list(ROOT)) {
            for (Path folder : folders.filter(folder -> Files.exists(folder.resolve("src/main/java")))
                    .filter(folder -> !folder.endsWith("docker")).toList()) {
                modules.put(folder.getFileName().toString(), find(DEPENDENCY, text(folder.resolve("pom.xml")))
                        .filter(dependency -> !dependency.group(1).contains("<scope>test"))
                        .flatMap(dependency -> find(OWN, dependency.group(1))).map(found -> found.group(1))
                        .collect(Collectors.toCollection(TreeSet::new)));
            }
        }
        return modules;
    }

    private static Set<String> reached(String module, Map<String, Set<String>> edges) {
        Set<String> reached = new HashSet<>();
        List<String> next = new ArrayList<>(edges.getOrDefault(module, Set.of()));
        while (!next.isEmpty()) {
            String one = next.removeLast();
            if (reached.add(one))
                next.addAll(edges.getOrDefault(one, Set.of()));
        }
        return reached;
    }

    /// Returns the files below that folder of each module.
    private static Stream<Path> sources(String folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path sources : modules.map(module -> module.resolve(folder)).filter(Files::isDirectory).toList()) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
                }
            }
        }
        return found.stream();
    }

    private static Stream<MatchResult> find(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file);
    }
}
