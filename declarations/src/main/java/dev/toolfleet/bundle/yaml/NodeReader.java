package dev.toolfleet.bundle.yaml;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.DocPath;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.SourceMap;
import dev.toolfleet.bundle.SourcePosition;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Turns one document's nodes into JSON and notes the position of each key and value.
///
/// Aliases are copied. So their expansion is bounded: at most ten times the document's own nodes.
final class NodeReader {
    private static final int EXPANSION = 10;
    private static final int SMALL = 1000;
    /// The longest number that readers of JSON accept. Converting longer ones takes time that grows with the square of
    /// their length.
    private static final int MAX_NUMBER = 1000;
    private static final int QUOTED = 40;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final String file;
    private final int skippedLines;
    private final List<BundleProblem> problems = new ArrayList<>();
    private final Map<DocPath, SourcePosition> values = new HashMap<>();
    private final Map<DocPath, SourcePosition> keys = new HashMap<>();
    private boolean expandsTooFar;
    private long budget;

    NodeReader(String file, int skippedLines) {
        this.file = file;
        this.skippedLines = skippedLines;
    }

    List<BundleProblem> problems() {
        return problems;
    }

    YamlDocument read(Node root, int index) {
        budget = Math.max(SMALL, EXPANSION * NodeCount.of(root));
        JsonNode json = value(root, DocPath.ROOT);
        return new YamlDocument(json, new SourceMap(position(root), values, keys), index);
    }

    private JsonNode value(Node node, DocPath path) {
        values.put(path, position(node));
        budget--;
        if (budget < 0) {
            if (!expandsTooFar) {
                expandsTooFar = true;
                problem("aliases expand the document to more than " + EXPANSION + " times its size", node, path,
                        "Repeat less, or split the document.");
            }
            return JSON.nullNode();
        }
        if (node.isRecursive()) {
            problem("an alias refers to something that contains it", node, path, "JSON cannot hold a cycle.");
            return JSON.nullNode();
        }
        return switch (node) {
            case MappingNode mapping -> mapping(mapping, path);
            case SequenceNode sequence -> sequence(sequence, path);
            case ScalarNode scalar -> scalar(scalar, path);
            default -> throw new IllegalStateException("Unknown node " + node.getNodeType());
        };
    }

    private ObjectNode mapping(MappingNode mapping, DocPath path) {
        known(mapping, Tag.MAP, path);
        ObjectNode object = JSON.objectNode();
        List<Node> merged = new ArrayList<>();
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode keyNode)) {
                problem("a key must be a text", tuple.getKeyNode(), path, "Quote it.");
                continue;
            }
            String key = keyNode.getValue();
            if (keyNode.isPlain() && key.equals("<<")) {
                merged.add(tuple.getValueNode());
                continue;
            }
            DocPath at = path.key(key);
            if (object.has(key)) {
                problem("the key '" + key + "' stands here a second time; the first is in line "
                        + keyPosition(at).line(), keyNode, at, "Remove one of them.");
                continue;
            }
            keys.put(at, position(keyNode));
            object.set(key, value(tuple.getValueNode(), at));
        }
        merged.forEach(source -> merge(source, object, path));
        return object;
    }

    private SourcePosition keyPosition(DocPath path) {
        return keys.getOrDefault(path, SourcePosition.ofFile(file));
    }

    /// Applies YAML 1.1's merge key, which is still in use: the mapping's own keys win.
    private void merge(Node source, ObjectNode object, DocPath path) {
        if (source instanceof SequenceNode list) {
            list.getValue().forEach(item -> merge(item, object, path));
        } else if (source instanceof MappingNode mapping && !mapping.isRecursive()) {
            for (NodeTuple tuple : mapping.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode key && key.getValue().equals("<<")) {
                    merge(tuple.getValueNode(), object, path);
                } else if (tuple.getKeyNode() instanceof ScalarNode key && !object.has(key.getValue())) {
                    object.set(key.getValue(), value(tuple.getValueNode(), path.key(key.getValue())));
                }
            }
        } else {
            problem("<<: merges a mapping or a list of mappings", source, path, "Give it an alias of a mapping.");
        }
    }

    private ArrayNode sequence(SequenceNode sequence, DocPath path) {
        known(sequence, Tag.SEQ, path);
        ArrayNode array = JSON.arrayNode();
        for (Node item : sequence.getValue()) {
            array.add(value(item, path.index(array.size())));
        }
        return array;
    }

    private JsonNode scalar(ScalarNode scalar, DocPath path) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        try {
            if (tag.equals(Tag.NULL)) {
                return JSON.nullNode();
            } else if (tag.equals(Tag.BOOL)) {
                return JSON.booleanNode(text.toLowerCase(Locale.ROOT).equals("true"));
            } else if (tag.equals(Tag.INT)) {
                return integer(bounded(text));
            } else if (tag.equals(Tag.FLOAT)) {
                return JSON.numberNode(new BigDecimal(bounded(text)));
            }
        } catch (NumberFormatException e) {
            problem("'" + (text.length() > QUOTED ? text.substring(0, QUOTED) + "…" : text)
                    + "' is a number that JSON cannot hold", scalar, path, "Quote it to make it a text.");
            return JSON.nullNode();
        }
        known(scalar, Tag.STR, path);
        return JSON.stringNode(text);
    }

    private void known(Node node, Tag tag, DocPath path) {
        if (!node.getTag().equals(tag)) {
            problem("the tag " + node.getTag() + " is not supported", node, path, "Remove it.");
        }
    }

    private static String bounded(String number) {
        if (number.length() > MAX_NUMBER) {
            throw new NumberFormatException();
        }
        return number;
    }

    private static JsonNode integer(String text) {
        BigInteger number = text.startsWith("0x")
                ? new BigInteger(text.substring(2), 16)
                : text.startsWith("0o") ? new BigInteger(text.substring(2), 8) : new BigInteger(text);
        if (number.bitLength() < Integer.SIZE) {
            return JSON.numberNode(number.intValue());
        }
        return number.bitLength() < Long.SIZE ? JSON.numberNode(number.longValue()) : JSON.numberNode(number);
    }

    private void problem(String what, Node node, DocPath path, String hint) {
        problems.add(new BundleProblem(Severity.ERROR, ProblemCode.E_CONFIG_PARSE_ERROR, "Not readable: " + what + ".",
                position(node), path.toString(), hint));
    }

    private SourcePosition position(Node node) {
        return node.getStartMark()
                .map(mark -> new SourcePosition(file, mark.getLine() + 1 + skippedLines, mark.getColumn() + 1))
                .orElse(SourcePosition.ofFile(file));
    }

    /// One document as JSON, with the positions of its keys and values; `index` counts the file's documents from 0.
    record YamlDocument(JsonNode value, SourceMap source, int index) {}
}
