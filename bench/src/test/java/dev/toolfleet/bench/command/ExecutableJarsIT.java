package dev.toolfleet.bench.command;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The two executable jars as they are built.
class ExecutableJarsIT {
    private static final Path SHIPPED = Path.of("../cli/target/toolfleet.jar");
    private static final Path BENCH = Path.of("target/toolfleet-bench.jar");
    private static final Pattern MODULE = Pattern.compile("<module>(\\S+)</module>");
    private static final Set<String> NOT_SHIPPED = Set.of("testkit", "fleet-tests", "host-tests", "mcp", "bench",
            "docker",
            "clients/langchain4j", "clients/spring-ai", "examples/hello", "examples/langchain4j-agent",
            "examples/spring-ai-agent", "examples/chat-agent", "examples/echo-agent", "examples/http-agent",
            "examples/github-like");

    @Test
    void nothingOfTheBenchmarksShips() throws IOException {
        try (JarFile jar = new JarFile(SHIPPED.toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName).filter(name -> name.matches(
                    "(dev/toolfleet/bench|org/openjdk|io/confluent|joptsimple|org/apache/commons/math3)/.*")))
                    .isEmpty();
        }
    }

    @Test
    void everyClassOfTheModulesThatShipIsInTheJar() throws IOException {
        Set<String> shipped;
        try (JarFile jar = new JarFile(SHIPPED.toFile())) {
            shipped = jar.stream().map(ZipEntry::getName).collect(Collectors.toSet());
        }
        List<String> modules = MODULE.matcher(Files.readString(Path.of("../pom.xml"))).results()
                .map(module -> module.group(1)).filter(module -> !NOT_SHIPPED.contains(module)).toList();

        assertThat(modules).contains("contracts", "gateway", "guard", "tools-messaging", "worker", "cli");
        for (String module : modules) {
            Path classes = Path.of("..", module, "target", "classes");
            try (Stream<Path> files = Files.walk(classes)) {
                assertThat(shipped).as(module).containsAll(
                        files.map(file -> classes.relativize(file).toString()).filter(name -> name.endsWith(".class"))
                                .toList());
            }
        }
    }

    @Test
    void bothJarsListBench() throws Exception {
        for (List<String> start : List.of(List.of("-jar", SHIPPED.toString()),
                List.of("-cp", SHIPPED + File.pathSeparator + BENCH, BenchMain.class.getName()))) {
            List<String> command = new ArrayList<>(start);
            command.add("--help");
            assertThat(run(command)).as(start.toString())
                    .anyMatch(line -> line.matches(" +bench +Measures a whole fleet .*"));
        }
    }

    @Test
    void theShippedJarSaysWhereBenchIs() throws Exception {
        assertThat(run(List.of("-jar", SHIPPED.toString(), "bench", "drain", "--rounds", "1")))
                .last().asString().startsWith("2 ").contains("toolfleet-bench.jar");
    }

    /// Lines of the output; the last one begins with the exit code.
    private static List<String> run(List<String> arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
                .toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        List<String> lines = new ArrayList<>(
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList());
        int code = process.waitFor();
        lines.add(code + " " + lines.removeLast());
        return lines;
    }
}
