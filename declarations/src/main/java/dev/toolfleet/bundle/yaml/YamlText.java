package dev.toolfleet.bundle.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.SourcePosition;
import dev.toolfleet.bundle.yaml.NodeReader.YamlDocument;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/// Parses the documents of one file by YAML 1.2's core schema. After a document that does not parse, it continues at
/// the next line that begins with `---`.
final class YamlText {
    private static final int MAX_DOCUMENTS = 100;
    /// The most broken documents: each costs a pass over the whole rest of the file.
    private static final int MAX_BROKEN = 20;
    private static final int MAX_ALIASES = 1000;
    private static final Pattern DOCUMENT_START = Pattern.compile("(?m)^---(?=\\s|$)");

    /// The readable documents, and the problems of the others.
    record Parsed(List<YamlDocument> documents, List<BundleProblem> problems) {}

    private final String file;
    private final String text;
    private final List<YamlDocument> documents = new ArrayList<>();
    private final List<BundleProblem> problems = new ArrayList<>();
    private int broken;

    private YamlText(String file, String text) {
        this.file = file;
        this.text = text;
    }

    static Parsed parse(String file, String text) {
        YamlText yaml = new YamlText(file, text);
        yaml.parse();
        return new Parsed(yaml.documents, yaml.problems);
    }

    private void parse() {
        if (!printable()) {
            return;
        }
        int from = 0;
        while (from >= 0 && documents.size() <= MAX_DOCUMENTS && broken < MAX_BROKEN) {
            from = parseFrom(from);
        }
        if (from >= 0 && broken == MAX_BROKEN) {
            problems.add(BundleProblem.error(ProblemCode.E_CONFIG_PARSE_ERROR,
                    "Not YAML: " + MAX_BROKEN + " documents cannot be parsed; those after them are not read.",
                    new SourcePosition(file, lines(0, from) + 1, 1), "Repair these first."));
        }
        if (documents.size() > MAX_DOCUMENTS) {
            YamlDocument first = documents.get(MAX_DOCUMENTS);
            problems.add(BundleProblem.error(ProblemCode.E_CONFIG_TOO_MANY_DOCUMENTS,
                    "The file has more than " + MAX_DOCUMENTS + " documents; this one and those after it are not read.",
                    first.source().document(), "Split the file."));
            documents.remove(MAX_DOCUMENTS);
        }
    }

    /// Returns the offset of the next document, or -1 at the end.
    private int parseFrom(int from) {
        int skippedLines = lines(0, from);
        LoadSettings settings = LoadSettings.builder().setLabel(file).setSchema(new CoreSchema()).setUseMarks(true)
                .setMaxAliasesForCollections(MAX_ALIASES).setAllowNonScalarKeys(true).build();
        try {
            Composer composer = new Composer(settings,
                    new BoundedParser(new ParserImpl(settings, new StreamReader(settings, text.substring(from)))));
            while (documents.size() <= MAX_DOCUMENTS && composer.hasNext()) {
                Node node = composer.next();
                if (!isEmpty(node)) {
                    NodeReader reader = new NodeReader(file, skippedLines);
                    documents.add(reader.read(node, documents.size()));
                    problems.addAll(reader.problems());
                }
            }
            return -1;
        } catch (YamlEngineException e) {
            Optional<Mark> mark = e instanceof MarkedYamlEngineException marked
                    ? marked.getProblemMark().or(marked::getContextMark)
                    : Optional.empty();
            problems.add(problem(e, mark, skippedLines));
            broken++;
            return nextDocument(from, mark.map(Mark::getLine).orElse(Integer.MAX_VALUE));
        }
    }

    private BundleProblem problem(YamlEngineException e, Optional<Mark> mark, int skippedLines) {
        SourcePosition position = mark
                .map(at -> new SourcePosition(file, at.getLine() + 1 + skippedLines, at.getColumn() + 1))
                .orElse(SourcePosition.ofFile(file));
        String message = e instanceof MarkedYamlEngineException marked
                ? (marked.getContext() == null ? "" : marked.getContext() + ", ") + marked.getProblem()
                : String.valueOf(e.getMessage());
        return BundleProblem.error(ProblemCode.E_CONFIG_PARSE_ERROR,
                "Not YAML: " + message.strip().replaceFirst("\\.+$", "") + ".", position,
                "Check indentation, quotes and brackets there and in the lines above.");
    }

    /// Returns the start of the first document that begins on or after that line (counted from `from`), other than the
    /// one at `from`.
    private int nextDocument(int from, int line) {
        int at = from;
        for (int passed = 0; passed < line; passed++) {
            int end = text.indexOf('\n', at);
            if (end < 0) {
                return -1;
            }
            at = end + 1;
        }
        Matcher start = DOCUMENT_START.matcher(text);
        at = Math.max(at, from + 1);
        return at <= text.length() && start.find(at) ? start.start() : -1;
    }

    private int lines(int from, int to) {
        int lines = 0;
        for (int at = from; at < to; at++) {
            if (text.charAt(at) == '\n') {
                lines++;
            }
        }
        return lines;
    }

    private boolean printable() {
        int line = 1;
        int column = 1;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int character = text.codePointAt(i);
            if (!StreamReader.isPrintable(character)) {
                problems.add(BundleProblem.error(ProblemCode.E_CONFIG_PARSE_ERROR,
                        "Not YAML: the character U+%04X is not allowed.".formatted(character),
                        new SourcePosition(file, line, column),
                        "Remove it, or write it as an escape in double quotes."));
                return false;
            }
            line = character == '\n' ? line + 1 : line;
            column = character == '\n' ? 1 : column + 1;
        }
        return true;
    }

    private static boolean isEmpty(Node node) {
        return node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL);
    }
}
