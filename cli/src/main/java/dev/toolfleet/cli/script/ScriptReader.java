package dev.toolfleet.cli.script;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.wire.ToolCall;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads a script: JSON Lines, one call, completion, decision or cancellation a line; blank lines and lines that begin
/// with `#` are skipped. What a call leaves out is filled in:
///
/// | field | default |
/// |---|---|
/// | `instanceKey` | `default` |
/// | `agentName` | the [DefaultAgent] |
/// | `turnId` | `turn-1` |
/// | `stepId` | that of the instance's previous call, else `step-1` |
/// | `id` | `call-` and the line number |
///
/// Calls with the same instance, agent, turn and step form one step, wherever they stand.
public final class ScriptReader {
    private static final int MAX_PROBLEMS = 20;

    private final DefaultAgent defaultAgent;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, String> lastStep = new HashMap<>();
    private final Map<StepName, List<ScriptCall>> steps = new LinkedHashMap<>();
    private final List<ScriptCall> calls = new ArrayList<>();
    private final List<ScriptAct> acts = new ArrayList<>();

    private record StepName(String instanceKey, String agentName, String turnId, String stepId) {}

    private ScriptReader(DefaultAgent defaultAgent) {
        this.defaultAgent = defaultAgent;
    }

    /// Reads a whole script.
    ///
    /// @throws ScriptException naming every line that is wrong
    public static RunScript read(byte[] script, DefaultAgent defaultAgent) throws ScriptException {
        ScriptReader reader = new ScriptReader(defaultAgent);
        String text = decode(script);
        int line = 0;
        for (String content : (Iterable<String>) text.lines()::iterator)
            reader.line(++line, content.strip());
        if (!reader.problems.isEmpty())
            throw new ScriptException(reader.shownProblems());
        return reader.script();
    }

    private static String decode(byte[] script) throws ScriptException {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(script)).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new ScriptException(List.of("the script is not UTF-8 text"));
        }
    }

    private RunScript script() {
        return new RunScript(steps.entrySet().stream().map(entry -> {
            StepName name = entry.getKey();
            return new ScriptStep(name.instanceKey(), name.agentName(), name.turnId(), name.stepId(), entry.getValue());
        }).toList(), acts);
    }

    private List<String> shownProblems() {
        if (problems.size() <= MAX_PROBLEMS)
            return problems;
        List<String> shown = new ArrayList<>(problems.subList(0, MAX_PROBLEMS));
        shown.add("and " + (problems.size() - MAX_PROBLEMS) + " more lines");
        return shown;
    }

    private void line(int number, String content) {
        if (content.isEmpty() || content.startsWith("#"))
            return;
        JsonNode node;
        try {
            node = Json.MAPPER.readTree(content);
        } catch (JacksonException e) {
            problem(number, "not JSON: " + e.getOriginalMessage());
            return;
        }
        if (!(node instanceof ObjectNode object)) {
            problem(number, "a JSON object expected, got " + node.getNodeType());
            return;
        }
        JsonNode type = object.path("type");
        switch (type.isMissingNode() ? "call" : type.stringValue("")) {
            case "call" -> call(number, object);
            case "completion" -> act(number, () -> ActReader.completion(number, object, calls));
            case "decision" -> act(number, () -> ActReader.decision(number, object, calls));
            case "cancel" -> act(number, () -> ActReader.cancel(number, object, calls));
            default -> problem(number, "type " + type
                    + " is not supported; there are \"call\" (which may be left out), \"completion\", \"decision\" and"
                    + " \"cancel\"");
        }
    }

    private interface Reading {
        ScriptAct read() throws ActReader.Refused;
    }

    private void act(int number, Reading reading) {
        try {
            acts.add(reading.read());
        } catch (ActReader.Refused e) {
            problem(number, String.valueOf(e.getMessage()));
        }
    }

    private void call(int number, ObjectNode object) {
        fillIn(number, object);
        switch (CallDecoder.decode(null, Json.MAPPER.writeValueAsBytes(object))) {
            case DecodedCall.Malformed malformed -> problem(number, malformed.reason());
            case DecodedCall.Valid valid -> add(number, valid.call());
        }
    }

    private void fillIn(int number, ObjectNode call) {
        putIfAbsent(call, "id", "call-" + number);
        putIfAbsent(call, "instanceKey", "default");
        putIfAbsent(call, "turnId", "turn-1");
        putIfAbsent(call, "stepId", lastStep.getOrDefault(call.path("instanceKey").asString(""), "step-1"));
        if (defaultAgent instanceof DefaultAgent.Named named)
            putIfAbsent(call, "agentName", named.name());
    }

    private static void putIfAbsent(ObjectNode call, String field, String value) {
        if (call.path(field).isMissingNode() || call.path(field).isNull())
            call.put(field, value);
    }

    private void add(int number, ToolCall call) {
        String agent = call.agentName();
        if (agent == null) {
            problem(number, "agentName is missing: "
                    + (defaultAgent instanceof DefaultAgent.Unknown unknown ? unknown.reason() : "name one"));
            return;
        }
        String turn = Objects.requireNonNullElse(call.turnId(), "");
        String step = Objects.requireNonNullElse(call.stepId(), "");
        lastStep.put(call.instanceKey(), step);
        ScriptCall added = new ScriptCall(number, call);
        calls.add(added);
        steps.computeIfAbsent(new StepName(call.instanceKey(), agent, turn, step), name -> new ArrayList<>())
                .add(added);
    }

    private void problem(int number, String what) {
        problems.add("line " + number + ": " + what.replaceAll("\\s+", " "));
    }

    /// A script cannot be read. Every problem names its line.
    public static final class ScriptException extends Exception {
        private final List<String> problems;

        ScriptException(List<String> problems) {
            super(String.join("; ", problems));
            this.problems = List.copyOf(problems);
        }

        /// One sentence for each line that is wrong.
        public List<String> problems() {
            return problems;
        }
    }
}
