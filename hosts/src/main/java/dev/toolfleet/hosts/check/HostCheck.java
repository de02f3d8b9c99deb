package dev.toolfleet.hosts.check;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.toolfleet.hosts.check.CheckedHost.Broken;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Check that a program speaks the host protocol, version 1 (`docs/host-protocol.md`).
///
/// The program is started twice. It needs four handlers: `echo` returns its input, `fail` fails, `progress` reports
/// progress and then ends, `wait` waits until it is cancelled.
public final class HostCheck {
    private static final String TOOL = "check";
    private static final int LARGE = 1_000_000;
    private static final int CALLS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// Rule of the protocol, and whether the host keeps it.
    ///
    /// @param rule what a host does, such as `answers hello`
    /// @param fault what was wrong; null if nothing was
    public record Outcome(String rule, @Nullable String fault) {
        public boolean kept() {
            return fault == null;
        }
    }

    private final List<String> program;
    private final Path file;
    private final Duration patience;
    private final Consumer<Outcome> outcomes;

    /// @param program the command line
    /// @param file sent in `load`: a module with the four handlers, or the program itself
    /// @param outcomes receives each rule when it has been checked
    public HostCheck(List<String> program, Path file, Consumer<Outcome> outcomes) {
        this(program, file, PATIENCE, outcomes);
    }

    /// @param patience the longest time to an answer, or to the end
    HostCheck(List<String> program, Path file, Duration patience, Consumer<Outcome> outcomes) {
        this.program = List.copyOf(program);
        this.file = file.toAbsolutePath().normalize();
        this.patience = patience;
        this.outcomes = outcomes;
    }

    /// Checks all rules; ends early if the host cannot be greeted or loaded.
    ///
    /// @return true if all are kept
    /// @throws IOException if the program cannot be started
    public boolean run() throws IOException, InterruptedException {
        List<Boolean> kept = new ArrayList<>();
        try (CheckedHost host = start()) {
            if (!rule(kept, "answers `hello` with its version of the protocol", () -> hello(host))
                    || !rule(kept, "loads a Tool and names its handlers", () -> load(host)))
                return false;
            calls(host, kept);
            strangers(host, kept);
            waiting(host, kept);
            rule(kept, "ends after `drain`", () -> drain(host));
            rule(kept, "writes nothing but messages of the protocol, one a line", () -> {
                if (!host.faults().isEmpty())
                    throw new Broken(String.join("; ", host.faults()));
            });
        }
        try (CheckedHost host = start()) {
            rule(kept, "ends with its input, although a handler runs", () -> endOfInput(host));
        }
        return !kept.contains(false);
    }

    private void calls(CheckedHost host, List<Boolean> kept) throws IOException, InterruptedException {
        ObjectNode input = object().put("text", "a \"quoted\" line\nand 한글 \uD83D\uDE00").put("number", 1.5);
        rule(kept, "returns the output of a handler", () -> echo(host, input));
        rule(kept, "reports a handler's failure as error -32000 with a name", () -> {
            JsonNode error = host.ask("invoke", call("fail", object())).path("error");
            require(error.path("code").intValue(0) == -32_000, "the answer was not an error -32000");
            require(!error.path("data").path("name").stringValue("").isEmpty(), "data.name is missing");
        });
        rule(kept, "sends progress with the id of its call, before the result", () -> {
            long id = host.send("invoke", call("progress", object()));
            host.answer(id);
            require(host.notes().stream().anyMatch(note -> note.path("method").stringValue("").equals("progress")
                    && note.path("params").path("id").longValue(-1) == id), "no progress came");
        });
        rule(kept, "carries an output of a million characters",
                () -> echo(host, object().put("text", "x".repeat(LARGE))));
        rule(kept, "answers " + CALLS + " calls that were sent at once, each once", () -> {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < CALLS; i++)
                ids.add(host.send("invoke", call("echo", object().put("n", i))));
            for (int i = 0; i < CALLS; i++)
                require(output(host.answer(ids.get(i))).equals(object().put("n", i)), "an answer was another call's");
        });
    }

    private void strangers(CheckedHost host, List<Boolean> kept) throws IOException, InterruptedException {
        rule(kept, "refuses an unknown method with error -32601", () -> refused(host, "invent", object(), -32_601));
        rule(kept, "refuses an unknown handler with an error",
                () -> refused(host, "invoke", call("no-such-handler", object()), -32_602));
        rule(kept, "ignores unknown notifications and fields", () -> {
            host.notify("invent", object());
            ObjectNode params = call("echo", object().put("n", 1)).put("invented", true);
            params.withObject("/context").put("invented", true);
            require(output(host.ask("invoke", params)).equals(object().put("n", 1)), "the output was another");
        });
    }

    private void waiting(CheckedHost host, List<Boolean> kept) throws IOException, InterruptedException {
        long id = host.send("invoke", call("wait", object()));
        rule(kept, "answers `ping` while a handler waits", () -> require(
                host.ask("ping", object()).path("result").isObject(), "the answer has no result"));
        rule(kept, "runs another call beside it", () -> echo(host, object().put("n", 2)));
        rule(kept, "answers a call that is cancelled", () -> {
            host.notify("cancel", object().put("id", id).put("reason", "cancelled"));
            host.answer(id);
        });
    }

    private void drain(CheckedHost host) throws IOException, InterruptedException {
        host.notify("drain", object());
        host.awaitEnd();
    }

    private void endOfInput(CheckedHost host) throws IOException, InterruptedException {
        hello(host);
        load(host);
        host.send("invoke", call("wait", object()));
        host.ask("ping", object());
        host.closeInput();
        host.awaitEnd();
    }

    private void hello(CheckedHost host) throws IOException, InterruptedException {
        ObjectNode params = object().put("protocol", 1).put("worker", "check");
        params.putObject("limits").put("messageBytes", 4 << 20).put("inFlight", 64);
        fits("helloResult", host.ask("hello", params));
    }

    private void load(CheckedHost host) throws IOException, InterruptedException {
        ObjectNode params = object().put("tool", TOOL).put("file", file.toString());
        params.putObject("config");
        params.putArray("exports").add("echo").add("fail").add("progress").add("wait");
        JsonNode answer = host.ask("load", params);
        fits("loadResult", answer);
        List<String> handlers = answer.path("result").path("handlers").valueStream().map(JsonNode::stringValue)
                .toList();
        for (String wanted : List.of("echo", "fail", "progress", "wait"))
            require(handlers.contains(wanted), "there is no handler `" + wanted + "`, which the check needs");
    }

    private static void echo(CheckedHost host, ObjectNode input) throws IOException, InterruptedException {
        JsonNode answer = host.ask("invoke", call("echo", input));
        fits("invokeResult", answer);
        require(output(answer).equals(input), "the output was not the input");
    }

    private static void refused(CheckedHost host, String method, ObjectNode params, int code)
            throws IOException, InterruptedException {
        JsonNode error = host.ask(method, params).path("error");
        require(error.path("code").intValue(0) == code, "the answer was not an error " + code);
    }

    private static JsonNode output(JsonNode answer) {
        return answer.path("result").path("output");
    }

    private static void fits(String definition, JsonNode answer) {
        if (answer.has("error"))
            throw new Broken("error " + answer.path("error").path("code") + ": "
                    + answer.path("error").path("message").stringValue(""));
        List<String> faults = ProtocolSchema.faults(definition, answer);
        require(faults.isEmpty(), String.join("; ", faults));
    }

    private static void require(boolean kept, String fault) {
        if (!kept)
            throw new Broken(fault);
    }

    private static ObjectNode call(String export, ObjectNode input) {
        Instant deadline = Instant.now().plusSeconds(60);
        ObjectNode params = object().put("tool", TOOL).put("export", export);
        ObjectNode context = params.putObject("context").put("agentName", "checker").put("instanceKey", "check")
                .put("turnId", "turn-1").put("stepId", "step-1").put("toolCallId", "call-1").put("workdir", "/tmp")
                .put("deadline", deadline.toString()).put("timeoutMs", 60_000).put("attempt", 1)
                .put("idempotencyKey", "check-1").put("fencingToken", 1).put("runtime", false);
        context.putObject("caller");
        context.putObject("message").put("id", "message-1").put("createdAt", Instant.now().toString());
        params.set("input", input);
        return params;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private CheckedHost start() throws IOException {
        Path folder = file.getParent();
        return CheckedHost.start(program, folder == null ? file : folder, patience);
    }

    /// Rule as code: it throws [Broken] if the host breaks it.
    private interface Rule {
        void check() throws IOException, InterruptedException;
    }

    private boolean rule(List<Boolean> kept, String text, Rule rule) throws InterruptedException {
        Outcome outcome;
        try {
            rule.check();
            outcome = new Outcome(text, null);
        } catch (Broken e) {
            outcome = new Outcome(text, e.getMessage());
        } catch (IOException e) {
            outcome = new Outcome(text, "the host takes no more messages: " + e.getMessage());
        }
        kept.add(outcome.kept());
        outcomes.accept(outcome);
        return outcome.kept();
    }
}
