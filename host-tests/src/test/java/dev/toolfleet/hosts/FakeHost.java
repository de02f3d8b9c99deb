package dev.toolfleet.hosts;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Host that injects faults. Its exports do what their names say; `input.file` gets a line for each start of a handler.
///
/// Faults of the whole process, as arguments: `mute` never answers `hello`, `old` speaks version 0, `exit` ends at
/// once, `deaf` answers no `ping`, `reconcile=VERDICT` has a `reconcile` that answers so.
final class FakeHost {
    private final Set<String> faults;
    private final PrintStream out;
    private final Set<Long> cancelled = ConcurrentHashMap.newKeySet();

    private FakeHost(Set<String> faults, PrintStream out) {
        this.faults = faults;
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(new FileInputStream("/dev/fd/3"), StandardCharsets.UTF_8))) {
            FakeHost host = new FakeHost(Set.of(args),
                    new PrintStream(new FileOutputStream("/dev/fd/4"), true, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine())
                host.read(Json.MAPPER.readTree(line));
        }
        Runtime.getRuntime().halt(0);
    }

    private void read(JsonNode message) throws IOException {
        JsonNode params = message.path("params");
        long id = message.path("id").longValue(-1);
        switch (message.path("method").stringValue("")) {
            case "hello" -> hello(id);
            case "load" -> {
                ObjectNode loaded = result();
                params.path("exports").forEach(loaded.withArray("handlers")::add);
                answer(id, loaded.put("reconcile", faults.stream().anyMatch(fault -> fault.startsWith("reconcile"))));
            }
            case "invoke" -> invoke(id, params);
            case "reconcile" -> {
                String verdict = faults.stream().filter(fault -> fault.startsWith("reconcile=")).findFirst()
                        .orElseThrow().substring("reconcile=".length());
                answer(id, result().put("verdict", verdict).put("output", "it happened"));
            }
            case "ping" -> {
                if (!faults.contains("deaf"))
                    answer(id, result().put("rss", 1));
            }
            case "cancel" -> {
                cancelled.add(params.path("id").longValue());
            }
            default -> {
            }
        }
    }

    private void hello(long id) {
        if (faults.contains("exit")) {
            System.err.println("no oven is hot");
            Runtime.getRuntime().halt(3);
        }
        if (!faults.contains("mute"))
            answer(id, result().put("protocol", faults.contains("old") ? 0 : 1).put("language", "fake").put("version",
                    "1").put("inFlight", 64));
    }

    private void invoke(long id, JsonNode params) throws IOException {
        JsonNode input = params.path("input");
        int attempt = params.path("context").path("attempt").intValue();
        if (input.has("file"))
            Files.writeString(Path.of(input.path("file").stringValue()), attempt + "\n", StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        boolean first = attempt == 1;
        switch (params.path("export").stringValue("")) {
            case "dies" -> Runtime.getRuntime().halt(9);
            case "diesOnce" -> {
                if (first)
                    Runtime.getRuntime().halt(9);
                answer(id, result().put("output", "attempt " + attempt));
            }
            case "answersAndDies" -> {
                answer(id, result().put("output", "done"));
                Runtime.getRuntime().halt(0);
            }
            case "garbles" -> out.println("{\"jsonrpc\": \"2.0\", \"id\": " + id + ", \"result\": {\"output\": ");
            case "floods" -> out.println("{\"jsonrpc\": \"2.0\", \"id\": " + id + ", \"result\": {\"output\": \""
                    + "x".repeat(HostProtocol.MESSAGE_BYTES) + "\"}}");
            case "errs" -> {
                for (int i = 0; i < HostInbox.MOST_FAULTS; i++)
                    out.println(i % 2 == 0 ? "[" + i + "]" : "{\"jsonrpc\": \"2.0\", \"id\": 9999, \"result\": 1}");
            }
            case "never" -> {
                // Not even after a cancellation.
            }
            case "untilCancelled" -> Thread.ofVirtual().start(() -> {
                while (!cancelled.contains(id))
                    Thread.onSpinWait();
                answer(id, result().put("output", "cancelled"));
            });
            case "loops" -> {
                while (true)
                    Thread.onSpinWait();
            }
            default -> answer(id, result().set("output", input));
        }
    }

    private static ObjectNode result() {
        return JsonNodeFactory.instance.objectNode();
    }

    private void answer(long id, ObjectNode result) {
        ObjectNode message = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0").put("id", id);
        out.println(message.set("result", result));
    }
}
