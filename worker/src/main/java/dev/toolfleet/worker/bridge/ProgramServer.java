package dev.toolfleet.worker.bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.mcp.client.McpClient;
import dev.toolfleet.mcp.client.McpException;
import dev.toolfleet.mcp.client.ServerListener;
import dev.toolfleet.worker.sandbox.ConfinedProgram;
import dev.toolfleet.worker.sandbox.Pause;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.StartedProgram;

/// Server that runs as a program in the sandbox, with its conversation over the standard streams.
///
/// **Contract.** After [#close], and after an opening that fails, none of its processes runs and none of its threads
/// is left.
final class ProgramServer implements OpenServer {
    private final StartedProgram program;
    private final LastLines errors;
    private final McpClient client;

    private ProgramServer(StartedProgram program, LastLines errors, McpClient client) {
        this.program = program;
        this.errors = errors;
        this.client = client;
    }

    /// Opener of connections.
    ///
    /// @param workspace the root of the instances' folders
    /// @param workerEnv the worker's environment
    static Connector connector(String name, ServerAddress.Program address, Sandbox sandbox, Path workspace,
            Map<String, String> workerEnv) {
        EraMemory memory = new EraMemory();
        return listener -> memory.open(era -> {
            Path folder = folder(workspace.toAbsolutePath().normalize(), address.folder());
            StartedProgram program = sandbox.converse(new ConfinedProgram(address.line(), folder, folder,
                    environment(address, sandbox.hasWalls(), workerEnv, folder)));
            LastLines errors = LastLines.follow(name, program.process().getErrorStream());
            boolean opened = false;
            try {
                McpClient client = open(program, errors, address, era, listener);
                opened = true;
                return new ProgramServer(program, errors, client);
            } finally {
                if (!opened)
                    end(program, errors);
            }
        });
    }

    private static McpClient open(StartedProgram program, LastLines errors, ServerAddress.Program address,
            dev.toolfleet.mcp.client.EraChoice era, ServerListener listener)
            throws IOException, McpException, InterruptedException {
        Process process = program.process();
        try {
            return McpClient.overStdio(process.getInputStream(), process.getOutputStream(),
                    Connector.settings(era, address.startTimeout()), listener);
        } catch (McpException e) {
            if (!process.waitFor(OpenServer.GRACE.toMillis(), TimeUnit.MILLISECONDS))
                throw new IOException(e.getMessage() + errors.clause(), e);
            errors.await();
            Optional<String> refusal = program.refusal(process.exitValue(), errors.text());
            throw new IOException(refusal.map(reason -> "the sandbox refused it: " + reason)
                    .orElse("it ended with status " + process.exitValue() + errors.clause()), e);
        }
    }

    /// Returns the server's folder, which stays between its starts.
    private static Path folder(Path workspace, String name) throws IOException {
        Path given = Path.of(name);
        if (given.isAbsolute())
            return ofInstance(given);
        return Files.createDirectories(workspace.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))).toRealPath();
    }

    /// Returns the folder of an instance. The instance's own programs could have put a link in its place, and the server
    /// would write elsewhere.
    private static Path ofInstance(Path folder) throws IOException {
        if (!folder.toRealPath().equals(folder))
            throw new IOException("the folder " + folder.getFileName() + " of the instance leads elsewhere");
        return folder;
    }

    /// Behind walls the sandbox sets the usual variables; elsewhere the worker's own are the usual ones.
    private static Map<String, String> environment(ServerAddress.Program address, boolean walls,
            Map<String, String> workerEnv, Path folder) {
        Map<String, String> env = new TreeMap<>();
        if (!walls) {
            env.put("HOME", folder.toString());
            for (String usual : new String[]{"PATH", "TMPDIR", "LANG", "TZ"}) {
                String value = workerEnv.get(usual);
                if (value != null)
                    env.put(usual, value);
            }
        }
        env.putAll(address.env());
        return env;
    }

    @Override
    public McpClient client() {
        return client;
    }

    @Override
    public boolean isProgram() {
        return true;
    }

    @Override
    public String lastWords() {
        return errors.clause();
    }

    @Override
    public void look() {
        program.look();
    }

    /// Closes the program's input first: a server of good manners ends then. The client is closed on a thread of its
    /// own. Otherwise: a program that does not read holds the writer, the writer holds the stream, and the program that
    /// waits to be killed is never killed.
    @Override
    public void close() {
        Thread closing = Thread.ofVirtual().name("mcp-close").start(client::close);
        if (exits())
            errors.await();
        end(program, errors);
        join(closing);
    }

    private boolean exits() {
        long end = System.nanoTime() + GRACE.toNanos();
        while (program.process().isAlive()) {
            if (System.nanoTime() - end >= 0)
                return false;
            Pause.of(java.time.Duration.ofMillis(5));
        }
        return true;
    }

    private static void end(StartedProgram program, LastLines errors) {
        program.end(GRACE);
        program.close();
        LastLines.closeQuietly(program.process().getInputStream());
        errors.close();
    }

    private static void join(Thread thread) {
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(GRACE);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted)
            Thread.currentThread().interrupt();
    }
}
