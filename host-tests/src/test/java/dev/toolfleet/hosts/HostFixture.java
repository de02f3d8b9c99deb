package dev.toolfleet.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.bundle.BundleFiles;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.loading.BundleCode;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.Authorized;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Bundle of files in a folder, whose Tools run in hosts.
final class HostFixture implements AutoCloseable {
    private final Path folder;
    private final Sandbox sandbox;
    private final Hosts hosts;
    private final Map<String, String> files = new HashMap<>();
    private String name = "acme";

    HostFixture(Path folder) {
        this(folder, HostsConfig.DEFAULT);
    }

    HostFixture(Path folder, HostsConfig config) {
        this(folder, config, System.getenv());
    }

    HostFixture(Path folder, HostsConfig config, Map<String, String> env) {
        this(folder, config, env, Sandbox.prepare(SandboxConfig.OFF, folder));
    }

    HostFixture(Path folder, HostsConfig config, Map<String, String> env, Sandbox sandbox) {
        this.folder = folder;
        this.sandbox = sandbox;
        this.hosts = new Hosts(config, env, "test", sandbox, folder.resolve("workspace"));
    }

    Hosts hosts() {
        return hosts;
    }

    /// Names the bundle, and with it the threads of its hosts. Other tests of this process have hosts, too.
    HostFixture named(String bundle) {
        name = bundle;
        return this;
    }

    /// Writes a file of the bundle.
    HostFixture file(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        files.put(path, BundleFiles.digest(file));
        return this;
    }

    /// Writes an executable that starts [FakeHost] with these faults.
    HostFixture fakeHost(String path, String... faults) throws IOException {
        String java = ProcessHandle.current().info().command().orElseThrow();
        file(path, "#!/bin/sh\nexec '" + java + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '"
                + System.getProperty("java.class.path") + "' " + FakeHost.class.getName() + " '"
                + String.join("' '", faults) + "'\n");
        if (!folder.resolve(path).toFile().setExecutable(true))
            throw new IOException("cannot make " + path + " executable");
        return this;
    }

    /// Loads a Tool `t` whose entry is that file.
    ///
    /// @param spec further fields of the spec, as JSON without braces, such as `"isolation": "call"`
    /// @param exports names; one that ends in `!` may not run twice, the others are idempotent
    Loaded tool(String path, String spec, String... exports) {
        ObjectNode tool = (ObjectNode) Json.MAPPER.readTree("{\"apiVersion\": \"toolfleet.dev/v1\", \"kind\": \"Tool\","
                + " \"metadata\": {\"name\": \"t\"}, \"spec\": {\"entry\": \"./" + path + "\", \"exports\": []"
                + (spec.isEmpty() ? "" : ", " + spec) + "}}");
        for (String export : exports) {
            String name = export.replace("!", "");
            ((ObjectNode) tool.path("spec")).withArray("exports").addObject().put("name", name)
                    .putObject("annotations").put("idempotent", !export.endsWith("!"));
        }
        ToolModule module = hosts.tool(ToolSpec.of(tool), path, new BundleCode(name, folder, files));
        return new Loaded(module);
    }

    @Override
    public void close() {
        hosts.close();
        sandbox.close();
    }

    /// Module that may have been loaded.
    static final class Loaded implements AutoCloseable {
        private final ToolModule module;
        private @Nullable Map<String, ToolHandler> handlers;

        Loaded(ToolModule module) {
            this.module = module;
        }

        ToolModule module() {
            return module;
        }

        void authorized(TokenSource tokens) {
            ((Authorized) module).tokens(tokens);
        }

        /// Calls an export with a context of its own.
        JsonNode call(String export, String input) throws Exception {
            try (FakeToolContext ctx = FakeToolContext.create()) {
                return call(export, ctx, input);
            }
        }

        JsonNode call(String export, FakeToolContext ctx, String input) throws Exception {
            ToolOutput output = output(export, ctx, input);
            return Json.MAPPER.valueToTree(((ToolOutput.Value) output).value());
        }

        ToolOutput output(String export, FakeToolContext ctx, String input) throws Exception {
            return requireNonNull(requireNonNull(handlers().get(export), export).handle(ctx,
                    (ObjectNode) Json.MAPPER.readTree(input)));
        }

        /// Returns the handlers, which are loaded once.
        synchronized Map<String, ToolHandler> handlers() {
            if (handlers == null)
                handlers = module.handlers();
            return handlers;
        }

        @Override
        public void close() {
            module.close();
        }
    }
}
