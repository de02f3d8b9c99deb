package dev.toolfleet.worker.tools.texttransform;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.tools.args.Arguments;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `text-transform` with the exports `replace`, `slice`, `split`, `join`, `trim` and `case`, and the
/// older `transform`, which takes the name of one of them as `operation`. Parameters and results are Goondan's, but
/// places and lengths count characters (code points), and a text may be empty.
public final class TextTransformModule implements ToolModule {
    private static final Map<String, Operation> OPERATIONS = Map.of("replace", TextTransformModule::replace, "slice",
            TextTransformModule::slice, "split", TextTransformModule::split, "join", TextTransformModule::join, "trim",
            TextTransformModule::trim, "case", TextTransformModule::changeCase);
    /// Characters that JSON puts around a part: quotes and a comma.
    private static final int AROUND_A_PART = 3;

    @Override
    public Map<String, ToolHandler> handlers() {
        Map<String, ToolHandler> handlers = new HashMap<>();
        OPERATIONS.forEach((name, operation) -> handlers.put(name,
                (ctx, input) -> ToolOutput.of(operation.apply(new Arguments(input), answer()))));
        handlers.put("transform", (ctx, input) -> ToolOutput.of(transform(new Arguments(input))));
        return handlers;
    }

    private static ObjectNode transform(Arguments args) throws InterruptedException {
        String name = args.requiredText("operation");
        Operation operation = OPERATIONS.get(name);
        if (operation == null)
            throw Arguments.invalid("Unsupported operation '" + name + "'",
                    "Use one of: " + String.join(", ", new TreeSet<>(OPERATIONS.keySet())) + ".");
        return operation.apply(args, answer().put("operation", name));
    }

    private static ObjectNode replace(Arguments args, ObjectNode answer) throws InterruptedException {
        String text = args.text("text");
        String search = args.requiredText("search");
        String replacement = args.text("replacement", "");
        boolean all = args.flag("all", false);
        ReplacedText done = args.flag("regex", false)
                ? ReplacedText.regex(text, search, replacement, all)
                : ReplacedText.literal(text, search, replacement, all);
        return answer.put("original", text).put("result", done.result()).put("replacements", done.replacements());
    }

    private static ObjectNode slice(Arguments args, ObjectNode answer) {
        String text = args.text("text");
        long start = args.number("start", 0);
        long end = args.number("end", CodePoints.length(text));
        String result = CodePoints.slice(text, start, end);
        return answer.put("original", text).put("result", result).put("start", start).put("end", end).put("length",
                CodePoints.length(result));
    }

    private static ObjectNode split(Arguments args, ObjectNode answer) {
        String text = args.text("text");
        String delimiter = args.text("delimiter", "\n");
        long maxParts = args.number("maxParts", Long.MAX_VALUE);
        if (maxParts < 0)
            throw Arguments.invalid("'maxParts' must not be negative");
        SizedText size = new SizedText();
        ArrayNode parts = Json.MAPPER.createArrayNode();
        int at = 0;
        boolean more = !text.isEmpty() || !delimiter.isEmpty();
        while (more && parts.size() < maxParts) {
            int end = end(text, at, delimiter);
            size.reserve(AROUND_A_PART);
            size.append(text.substring(at, end));
            parts.add(text.substring(at, end));
            more = end < text.length();
            at = end + delimiter.length();
        }
        return answer.put("delimiter", delimiter).put("count", parts.size()).set("parts", parts);
    }

    private static ObjectNode join(Arguments args, ObjectNode answer) {
        List<String> parts = parts(args);
        String delimiter = args.text("delimiter", "\n");
        SizedText result = new SizedText();
        for (int i = 0; i < parts.size(); i++)
            result.append(i == 0 ? "" : delimiter).append(parts.get(i));
        return answer.put("delimiter", delimiter).put("count", parts.size()).put("result", result.toString());
    }

    private static ObjectNode trim(Arguments args, ObjectNode answer) {
        String text = args.text("text");
        String mode = args.text("mode", "both");
        String result = switch (mode) {
            case "start" -> CodePoints.trimStart(text);
            case "end" -> CodePoints.trimEnd(text);
            case "both" -> CodePoints.trimEnd(CodePoints.trimStart(text));
            default -> throw Arguments.invalid("Unsupported mode '" + mode + "'. Use 'start', 'end' or 'both'.");
        };
        return answer.put("original", text).put("result", result).put("mode", mode).put("trimmedLength",
                CodePoints.length(result));
    }

    private static ObjectNode changeCase(Arguments args, ObjectNode answer) {
        String text = args.text("text");
        String to = args.text("to");
        String result = switch (to) {
            case "upper" -> text.toUpperCase(Locale.ROOT);
            case "lower" -> text.toLowerCase(Locale.ROOT);
            default -> throw Arguments.invalid("Unsupported case transform '" + to + "'. Use 'upper' or 'lower'.");
        };
        return answer.put("original", text).put("result", new SizedText().append(result).toString()).put("to", to);
    }

    /// Returns the end of the part that begins here. Without a delimiter every character is a part.
    private static int end(String text, int at, String delimiter) {
        if (delimiter.isEmpty())
            return at < text.length() ? text.offsetByCodePoints(at, 1) : at;
        int found = text.indexOf(delimiter, at);
        return found < 0 ? text.length() : found;
    }

    private static List<String> parts(Arguments args) {
        JsonNode value = args.input().path("parts");
        if (!value.isArray())
            throw Arguments.invalid("'parts' must be an array");
        List<String> parts = new ArrayList<>();
        for (JsonNode part : value) {
            if (!part.isString() && !part.isNumber() && !part.isBoolean())
                throw Arguments.invalid("'parts' must contain only string/number/boolean values");
            parts.add(part.asString());
        }
        return parts;
    }

    private static ObjectNode answer() {
        return Json.MAPPER.createObjectNode();
    }

    /// Operation of one export.
    private interface Operation {
        ObjectNode apply(Arguments args, ObjectNode answer) throws InterruptedException;
    }
}
