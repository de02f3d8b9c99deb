package dev.toolfleet.hosts.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Process of a host under check. It notes each line that does not fit the protocol.
///
/// **Threads.** Requests are sent by one thread. A thread of its own reads the answers.
final class CheckedHost implements AutoCloseable {
    /// The line by which a worker starts a host.
    private static final String DESCRIPTORS = "exec 3<&0 4>&1 0</dev/null 1>&2; exec \"$@\"";

    private final Process process;
    private final Duration patience;
    private final OutputStream out;
    private final Map<Long, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
    private final List<JsonNode> notes = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private long lastId;

    private CheckedHost(Process process, Duration patience) {
        this.process = process;
        this.patience = patience;
        this.out = process.getOutputStream();
        Thread.ofVirtual().name("checked-host-reader").start(this::read);
    }

    /// Starts a program as a worker does; its log goes to standard error.
    ///
    /// @param root the bundle's folder
    /// @param patience the longest time to an answer, or to the end
    static CheckedHost start(List<String> program, Path root, Duration patience) throws IOException {
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", DESCRIPTORS, "sh"));
        line.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("TOOLFLEET_HOST_ROOT", root.toString());
        return new CheckedHost(builder.start(), patience);
    }

    /// Sends a request.
    ///
    /// @return its id
    long send(String method, ObjectNode params) throws IOException {
        long id = ++lastId;
        open.put(id, new CompletableFuture<>());
        write(message(method, params).put("id", id));
        return id;
    }

    void notify(String method, ObjectNode params) throws IOException {
        write(message(method, params));
    }

    void write(JsonNode message) throws IOException {
        out.write((Json.MAPPER.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /// Waits for the answer to a request: the whole message.
    ///
    /// @throws Broken if it does not come in time, or the host ends before
    JsonNode answer(long id) throws InterruptedException {
        CompletableFuture<JsonNode> answer = requireNonNull(open.get(id), "no such request");
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new Broken("the host ended before it answered");
        } catch (TimeoutException e) {
            throw new Broken("no answer came within " + patience.toMillis() + " ms");
        }
    }

    JsonNode ask(String method, ObjectNode params) throws IOException, InterruptedException {
        return answer(send(method, params));
    }

    /// The notifications of the host up to now.
    List<JsonNode> notes() {
        return notes;
    }

    /// The lines that did not fit, with the reason.
    List<String> faults() {
        return faults;
    }

    void closeInput() throws IOException {
        out.close();
    }

    /// Waits for the end of the process.
    ///
    /// @throws Broken if it goes on
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS))
            throw new Broken("it runs " + patience.toMillis() + " ms later");
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine())
                take(line);
        } catch (IOException e) {
            faults.add("the output cannot be read: " + e.getMessage());
        }
        open.values().forEach(answer -> answer.completeExceptionally(new Broken("the host ended")));
    }

    private void take(String line) {
        JsonNode message;
        try {
            message = Json.MAPPER.readTree(line);
        } catch (JacksonException e) {
            faults.add("no JSON: " + shortened(line));
            return;
        }
        List<String> misfits = ProtocolSchema.faults("fromHost", message);
        if (!misfits.isEmpty())
            faults.add("not a message of a host: " + shortened(line));
        if (message.has("method")) {
            notes.add(message);
            return;
        }
        CompletableFuture<JsonNode> answer = open.get(message.path("id").longValue(-1));
        if (answer == null)
            faults.add("an answer to no request: " + shortened(line));
        else if (!answer.complete(message))
            faults.add("a second answer: " + shortened(line));
    }

    private static ObjectNode message(String method, ObjectNode params) {
        return JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0").put("method", method).set("params", params);
    }

    private static String shortened(String line) {
        return line.length() <= 200 ? line : line.substring(0, 200) + "…";
    }

    /// Rule of the protocol that the host broke.
    static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1;

        Broken(String message) {
            super(message);
        }
    }
}
