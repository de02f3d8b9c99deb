package dev.toolfleet.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Comments of all modules are plain English: a component is the subject, and no comment begins with a question.
class ProseTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern QUESTION = Pattern
            .compile("(What|Whether|How|Who|Where|When|Since|Until|Of)\\b.*", Pattern.DOTALL);
    private static final Pattern BANNED = Pattern.compile(
            "\\b(nobody|somebody|whoever|so long|so many|of which|what comes of it|tells|asks|says)\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern CODE = Pattern.compile("`[^`]*`|\\[#?[\\w.#]+]");
    /// The largest share of documentation comments that begin with a question, in percent.
    private static final double QUESTIONS = 3;

    /// Figures of a module, with the place of each finding.
    private record Figures(int documented, List<String> questions, List<String> banned) {
        double share() {
            return documented == 0 ? 0 : 100.0 * questions.size() / documented;
        }
    }

    static Stream<String> modules() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT)) {
            return folders
                    .filter(folder -> Files.exists(folder.resolve("src/main/java")) || folder.endsWith("examples")
                            || folder.endsWith("clients"))
                    .map(folder -> folder.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void aModuleKeepsTheLimits(String module) throws IOException {
        Figures figures = figures(module);
        assertThat(figures.share()).as(() -> module + ": " + String.format(Locale.ROOT, "%.2f", figures.share())
                + " % of the comments begin with a question:\n" + String.join("\n", figures.questions()))
                .isLessThanOrEqualTo(QUESTIONS);
        assertThat(figures.banned()).as("banned words of " + module).isEmpty();
    }

    @Test
    void everyModuleHasComments() throws IOException {
        for (String module : modules().toList())
            assertThat(figures(module).documented()).as(module).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/// What comes next.\nclass A {}",
            "class A {\n    /// Whether it runs.\n    boolean b;\n}",
            "/// Of the\n/// operating system.\nint pid();"})
    void aQuestionIsFound(String source) {
        assertThat(Comment.of(source)).anyMatch(ProseTest::isQuestion);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/// True if it runs.\nclass A {}", "// What comes next.\nint a;", "/// Whatever.\nint a;",
            "/// Queue.\n/// What comes next.\nint a;", "String a = \"/// What\";",
            "String a = \"\"\"\n/// What\n\"\"\";",
            "char a = '\"'; // \" What"})
    void otherTextIsNoQuestion(String source) {
        assertThat(Comment.of(source)).noneMatch(ProseTest::isQuestion);
    }

    @Test
    void bannedWordsAreFoundInEveryComment() {
        String source = """
                /// Tells the owner, whoever it is, as
                /// long as nobody asks. So many `asks` and [Asks#says] are code.
                int a; // somebody says "no"
                String b = "nobody asks";
                /* So
                 * long. */
                """;
        assertThat(Comment.of(source).stream().flatMap(comment -> banned(comment).stream()))
                .containsExactly("tells", "whoever", "nobody", "asks", "so many", "somebody", "says", "so long");
    }

    @Test
    void commentsKnowTheirLines() {
        assertThat(Comment.of("int a;\n\n/// One.\n/// Two.\n// Three.\nint b; // Four.\n// Five.\n"))
                .containsExactly(new Comment(3, "///", "One. Two."), new Comment(5, "//", "Three."),
                        new Comment(6, "//", "Four."), new Comment(7, "//", "Five."));
    }

    private static boolean isQuestion(Comment comment) {
        return comment.isDocumentation() && QUESTION.matcher(comment.text()).matches();
    }

    private static List<String> banned(Comment comment) {
        Matcher words = BANNED.matcher(CODE.matcher(comment.text()).replaceAll(""));
        return words.results().map(word -> word.group().toLowerCase(Locale.ROOT)).toList();
    }

    private static Figures figures(String module) throws IOException {
        int documented = 0;
        List<String> questions = new ArrayList<>();
        List<String> banned = new ArrayList<>();
        for (Path file : sources(module)) {
            for (Comment comment : Comment.of(Files.readString(file))) {
                String place = ROOT.relativize(file) + ":" + comment.line() + ": ";
                if (comment.isDocumentation())
                    documented++;
                if (isQuestion(comment))
                    questions.add(place + comment.text());
                banned(comment).forEach(word -> banned.add(place + word));
            }
        }
        return new Figures(documented, questions, banned);
    }

    /// Returns the main sources of a module; examples have some outside of source folders.
    private static List<Path> sources(String module) throws IOException {
        Path folder = ROOT.resolve(module);
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).filter(file -> {
                String path = folder.relativize(file).toString().replace('\\', '/');
                return !("/" + path).contains("/target/") && !("/" + path).contains("/src/test/");
            }).sorted().toList();
        }
    }
}
