package dev.toolfleet.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/// What the documents show of files is what stands in them, and what they link to is there.
class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern SHOWN = Pattern
            .compile("<!-- (file|part of) (\\S+) -->\n```\\w*\n(.*?)\n?```\n", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");

    static Stream<Path> documents() throws IOException {
        try (Stream<Path> root = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> clients = Files.walk(ROOT.resolve("clients"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples"))) {
            return Stream.of(root, docs, clients, examples).flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    // npm has installed these packages.
                    .filter(file -> !file.toString().contains("node_modules"))
                    .map(ROOT::relativize).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void whatIsShownOfAFileStandsInIt(Path document) throws IOException {
        String text = Files.readString(ROOT.resolve(document));
        Matcher shown = SHOWN.matcher(text);
        int found = 0;
        for (; shown.find(); found++) {
            String file = Files.readString(ROOT.resolve(shown.group(2)));
            if (shown.group(1).equals("file"))
                assertThat(shown.group(3).strip()).as(shown.group(2)).isEqualTo(file.strip());
            else
                assertThat("\n" + file).as(shown.group(2)).contains("\n" + shown.group(3) + "\n");
        }
        assertThat(found).as("every marker stands before a block")
                .isEqualTo(text.split("<!-- (file|part of) ", -1).length - 1);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void whatIsLinkedToIsThere(Path document) throws IOException {
        Path here = ROOT.resolve(document);
        for (Matcher link = LINK.matcher(Files.readString(here)); link.find();) {
            String path = link.group(1);
            Path target = path.isEmpty() ? here : here.resolveSibling(path).normalize();
            assertThat(target).as(link.group()).exists();
            if (link.group(2) != null)
                assertThat(anchors(target)).as(link.group()).contains(link.group(2));
        }
    }

    /// The anchors that a heading gets where Markdown is shown.
    private static Set<String> anchors(Path document) throws IOException {
        List<String> lines = Files.readAllLines(document);
        return lines.stream().filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
