package dev.toolfleet.example.buildfarm;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// The steps of a build: compile, test, package. Their output goes to `build.log`.
final class BuildSteps {
    /// Advice for the model about a failed build.
    static final String SUGGESTION = "Read build.log in the build's folder, correct the sources and start a build again.";
    /// Interval of the progress reports of a long step.
    private static final long SIGN_OF_LIFE_SECONDS = 10;
    private static final int MOST_SIGNS = 60;

    private final Path folder;
    private final Heard heard;

    /// Receives the progress of a build.
    @FunctionalInterface
    interface Heard {
        void at(double percent, String step);
    }

    /// Output of a build.
    ///
    /// @param artifact in the build's folder
    /// @param tests the summary of the tests
    record Made(String artifact, String tests) {}

    /// Failure that the project causes.
    static final class FailedException extends Exception {
        FailedException(String step, String said) {
            super(step + ": " + said);
        }
    }

    BuildSteps(Path folder, Heard heard) {
        this.folder = folder;
        this.heard = heard;
    }

    Made run() throws FailedException, IOException, InterruptedException {
        heard.at(0, "compile");
        compile();
        String tests = test();
        heard.at(80, "package");
        tool("package", "jar", List.of("--create", "--file", folder.resolve("greeter.jar").toString(), "--main-class",
                "Greeter", "-C", folder.resolve("classes").toString(), "."));
        return new Made("greeter.jar", tests);
    }

    private void compile() throws FailedException, IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", folder.resolve("classes").toString()));
        for (String sources : List.of("src", "test")) {
            try (Stream<Path> files = Files.list(folder.resolve(sources))) {
                files.map(Path::toString).sorted().forEach(arguments::add);
            }
        }
        tool("compile", "javac", arguments);
    }

    /// Runs a tool of the JDK in this process, which saves a start.
    private void tool(String step, String name, List<String> arguments) throws FailedException {
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int code = ToolProvider.findFirst(name).orElseThrow().run(out, out, arguments.toArray(String[]::new));
        System.out.print(said);
        if (code != 0) {
            throw new FailedException(step,
                    said.toString().lines().findFirst().orElse("exit code " + code).replace(folder + File.separator,
                            ""));
        }
    }

    /// Runs the tests in a separate process without the token: they are the project's code.
    private String test() throws FailedException, IOException, InterruptedException {
        Path log = folder.resolve("test.log");
        ProcessBuilder builder = new ProcessBuilder(Jdk.tool("java"), "-XX:TieredStopAtLevel=1", "-cp",
                folder.resolve("classes").toString(), "GreeterTest").redirectErrorStream(true)
                .redirectOutput(Redirect.to(log.toFile()));
        builder.environment().remove(BuildProcess.TOKEN);
        Process test = builder.start();
        int signs = 0;
        do {
            heard.at(40, "test");
        } while (!test.waitFor(SIGN_OF_LIFE_SECONDS, TimeUnit.SECONDS) && ++signs < MOST_SIGNS);
        if (test.isAlive()) {
            test.destroyForcibly();
            throw new FailedException("test", "stopped after " + MOST_SIGNS * SIGN_OF_LIFE_SECONDS + " s");
        }
        String last = Files.readString(log).lines().reduce("", (before, line) -> line);
        if (test.exitValue() != 0)
            throw new FailedException("test", last);
        return last;
    }
}
