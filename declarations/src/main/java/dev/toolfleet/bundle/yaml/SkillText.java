package dev.toolfleet.bundle.yaml;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.toolfleet.bundle.DocPath;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.SourceMap;
import dev.toolfleet.bundle.SourcePosition;
import dev.toolfleet.bundle.yaml.NodeReader.YamlDocument;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The form of `skills/NAME/SKILL.md`: fields in YAML between two lines of `---`, then the instructions. It is read as
/// the document `kind: Skill` that has these fields in `spec`, and the instructions as `spec.body`; `name` and
/// `metadata` become `metadata.name` and `metadata.annotations`.
///
/// @param fields the YAML, with the first line of `---`, so that lines count as in the file
/// @param body the instructions
/// @param bodyLine the line of the file at which the body begins, from 1
record SkillText(String fields, String body, int bodyLine) {
    /// The name of the file in a skill's folder.
    static final String FILE = "SKILL.md";
    /// The name of the folder of skills.
    static final String FOLDER = "skills";

    private static final Pattern PATH = Pattern.compile("(.*/)?" + FOLDER + "/[^/]+/" + FILE);
    private static final String RULER = "---";

    /// True if the file of that path, relative to its bundle, is read as a skill.
    static boolean isFile(String path) {
        return PATH.matcher(path).matches();
    }

    /// Splits a file's text; empty when it does not begin with fields.
    static Optional<SkillText> of(String text) {
        int line = 0;
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf('\n', start);
            int next = end < 0 ? text.length() : end + 1;
            boolean ruler = text.substring(start, next).stripTrailing().equals(RULER);
            if (line == 0 && !ruler)
                return Optional.empty();
            line++;
            if (line > 1 && ruler)
                return Optional.of(new SkillText(text.substring(0, start), text.substring(next).strip(), line + 1));
            start = next;
        }
        return Optional.empty();
    }

    /// Returns the document of the fields that were read.
    YamlDocument document(YamlDocument read, String file) {
        if (!(read.value() instanceof ObjectNode fields))
            return read;
        Positions positions = new Positions(read.source());
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("apiVersion", Kinds.TOOLFLEET_V1).put("kind",
                Kinds.SKILL);
        ObjectNode metadata = document.putObject("metadata");
        ObjectNode spec = document.putObject("spec");
        DocPath metadataPath = DocPath.ROOT.key("metadata");
        DocPath specPath = DocPath.ROOT.key("spec");
        fields.forEachEntry((key, value) -> {
            DocPath from = DocPath.ROOT.key(key);
            switch (key) {
                case "name" -> positions.move(metadata, key, value, from, metadataPath.key(key));
                case "metadata" ->
                    positions.move(metadata, "annotations", value, from, metadataPath.key("annotations"));
                default -> positions.move(spec, key, value, from, specPath.key(key));
            }
        });
        if (!body.isEmpty())
            spec.put("body", body);
        SourcePosition start = new SourcePosition(file, bodyLine, 1);
        positions.values.put(specPath.key("body"), start);
        positions.keys.put(specPath.key("body"), start);
        return new YamlDocument(document, positions.map(), read.index());
    }

    /// The positions of the document, taken from those of the fields.
    private static final class Positions {
        private final SourceMap read;
        private final Map<DocPath, SourcePosition> values = new HashMap<>();
        private final Map<DocPath, SourcePosition> keys = new HashMap<>();

        Positions(SourceMap read) {
            this.read = read;
        }

        void move(ObjectNode into, String key, JsonNode value, DocPath from, DocPath to) {
            into.set(key, value);
            copy(value, from, to);
        }

        private void copy(JsonNode value, DocPath from, DocPath to) {
            values.put(to, read.value(from));
            keys.put(to, read.key(from));
            if (value instanceof ObjectNode object)
                object.forEachEntry((key, inner) -> copy(inner, from.key(key), to.key(key)));
            for (int i = 0; value.isArray() && i < value.size(); i++)
                copy(value.path(i), from.index(i), to.index(i));
        }

        SourceMap map() {
            return new SourceMap(read.document(), values, keys);
        }
    }
}
