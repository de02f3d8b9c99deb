package dev.toolfleet.worker.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// MCP server of a test: a script of the shell with tools and a fault.
///
/// @param folder with the script, the tools and the server's notes
record ShellServer(Path folder) {
    static ShellServer in(Path folder, String... tools) throws IOException {
        ShellServer server = new ShellServer(folder);
        Files.createDirectories(server.notes());
        try (InputStream script = requireNonNull(ShellServer.class.getResourceAsStream("server.sh"))) {
            Files.write(folder.resolve("server.sh"), script.readAllBytes());
        }
        Files.writeString(server.tools(), list(tools));
        return server;
    }

    /// A list of tools without arguments; a text that begins with a brace is a whole definition.
    static String list(String... tools) {
        List<String> definitions = new java.util.ArrayList<>();
        for (String tool : tools) {
            definitions.add(tool.startsWith("{")
                    ? tool
                    : "{\"name\":\"" + tool + "\",\"description\":\"does it\",\"inputSchema\":{\"type\":\"object\"}}");
        }
        return "[" + String.join(",", definitions) + "]";
    }

    private Path tools() {
        return folder.resolve("tools.json");
    }

    private Path notes() {
        return folder.resolve("notes");
    }

    /// Prepares the list that the tool `change` puts in the place of the present one.
    void next(String... tools) throws IOException {
        Files.writeString(notes().resolve("next"), list(tools));
    }

    /// Returns the entry of the configuration.
    ObjectNode entry(String fault) {
        ObjectNode entry = Json.MAPPER.createObjectNode().put("command", "/bin/sh");
        entry.putArray("args").add(folder.resolve("server.sh").toString()).add(tools().toString())
                .add(notes().toString()).add(fault);
        return entry;
    }

    /// Returns the requests of calls and their cancellations.
    List<String> notes(String kind) throws IOException {
        Path file = notes().resolve(kind);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /// Returns the processes that were started as this server and still run.
    List<ProcessHandle> living() throws IOException {
        return notes("pids").stream().map(Long::valueOf).flatMap(pid -> ProcessHandle.of(pid).stream())
                .filter(ProcessHandle::isAlive).toList();
    }
}
