package dev.toolfleet.docker;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The jars of the images run the fleet's processes, but no broker.
class ImageJarsIT {
    private static final Path LIB = Path.of("target/lib");

    @Test
    void noBrokerIsAmongThem() throws IOException {
        List<String> brokers = new ArrayList<>();
        for (Path jar : jars()) {
            try (JarFile file = new JarFile(jar.toFile())) {
                file.stream().map(entry -> jar.getFileName() + " " + entry.getName())
                        .filter(name -> name.matches(".* (kafka/server/|scala/|dev/toolfleet/embedded/|org/junit/).*"))
                        .findFirst().ifPresent(brokers::add);
            }
        }
        assertThat(brokers).isEmpty();
    }

    @Test
    void theProcessesAndTheCommandsOfOperatorsAreThere() throws Exception {
        for (String command : List.of("worker", "catalog", "gateway", "topics", "apply", "call"))
            assertThat(run(command, "--help")).as(command).startsWith("0 ").contains("Usage: toolfleet " + command);
        assertThat(run("worker", "--set", "worker.nme=x")).startsWith("2 ").contains("did you mean worker.name");
    }

    @Test
    void aCommandThatNeedsABrokerOfItsOwnSaysSo() throws Exception {
        for (String command : List.of("dev", "bench"))
            assertThat(run(command, "--port", "0")).as(command).startsWith("2 ").contains("toolfleet.jar");
    }

    @Test
    void theBillOfMaterialsNamesEveryJarOfOthers() throws IOException {
        String sbom = Files.readString(Path.of("target/sbom.json"));

        assertThat(sbom).contains("\"bomFormat\" : \"CycloneDX\"");
        assertThat(jars().stream().filter(jar -> jar.startsWith(LIB.resolve("others")))
                .map(jar -> jar.getFileName().toString().replaceFirst("\\.jar$", ""))
                .filter(jar -> !isIn(sbom, jar))).as("jars of an earlier build, which `mvn clean` removes").isEmpty();
    }

    /// A jar is called `artifact-version`, and both parts may hold hyphens.
    private static boolean isIn(String sbom, String jar) {
        return IntStream.range(0, jar.length()).filter(i -> jar.charAt(i) == '-')
                .anyMatch(i -> sbom.contains("/" + jar.substring(0, i) + "@" + jar.substring(i + 1) + "?type=jar"));
    }

    /// Exit code and output of the command as the images start it.
    private static String run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
                .toString(), "-XX:TieredStopAtLevel=1", "-cp",
                LIB.resolve("toolfleet") + "/*" + File.pathSeparator + LIB.resolve("others") + "/*",
                "dev.toolfleet.cli.Main"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + output;
    }

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.walk(LIB)) {
            List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).toList();
            assertThat(jars).as(LIB.toString()).hasSizeGreaterThan(20);
            return jars;
        }
    }
}
