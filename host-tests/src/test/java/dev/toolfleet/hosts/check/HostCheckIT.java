package dev.toolfleet.hosts.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.hosts.check.HostCheck.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The check passes real hosts, and finds what others do wrong.
class HostCheckIT {
    private static final Path HOSTS = Path.of("../hosts/src/main/resources/dev/toolfleet/hosts").toAbsolutePath();
    private static final Path LANGUAGES = Path.of("src/test/languages").toAbsolutePath();

    private final List<Outcome> outcomes = new ArrayList<>();

    @TempDir
    private Path folder = Path.of("");

    /// CI installs Python and jq; elsewhere these tests are skipped without it.
    @BeforeAll
    static void needsPrograms() {
        if (!"required".equals(System.getenv("SANDBOX_TESTS")))
            for (String program : List.of("/usr/bin/python3", "/usr/bin/jq"))
                assumeTrue(Files.isExecutable(Path.of(program)), program + " is not installed");
    }

    @Test
    void theNodeHostPasses() throws Exception {
        assertThat(check(LANGUAGES.resolve("node/bundle/check.mjs"), "node", HOSTS.resolve("host.mjs").toString()))
                .as("%s", outcomes).isTrue();
    }

    @Test
    void thePythonHostPasses() throws Exception {
        assertThat(check(LANGUAGES.resolve("python/bundle/check.py"), "/usr/bin/python3", "-I",
                HOSTS.resolve("host.py").toString())).as("%s", outcomes).isTrue();
    }

    @Test
    void theShellHostOfTheExamplesPasses() throws Exception {
        Path host = Path.of("../examples/shell-host/host").toAbsolutePath().normalize();

        assertThat(check(host, host.toString())).as("%s", outcomes).isTrue();
        assertThat(outcomes).hasSizeGreaterThan(15);
        assertThat(Files.readAllLines(host)).hasSizeLessThanOrEqualTo(60);
    }

    @Test
    void aProgramThatSpeaksSomethingElseFailsAtItsGreeting() throws Exception {
        Path host = script("read -r line <&3; echo hello >&4");

        assertThat(check(host, host.toString())).isFalse();
        assertThat(outcomes).singleElement().satisfies(outcome -> {
            assertThat(outcome.rule()).contains("hello");
            assertThat(outcome.fault()).contains("ended before it answered");
        });
    }

    @Test
    void aHostThatBlocksPrintsAndSurvivesIsFound() throws Exception {
        Path host = script("""
                import json, os, sys, time
                out = os.fdopen(4, "w")
                def answer(id, **fields):
                    print(json.dumps({"jsonrpc": "2.0", "id": id, **fields}), file=out, flush=True)
                for line in os.fdopen(3):
                    m = json.loads(line)
                    method, id, params = m["method"], m.get("id"), m.get("params", {})
                    if method == "hello":
                        answer(id, result={"protocol": 1, "language": "x", "inFlight": 1})
                        print("a stray print", file=out, flush=True)
                    elif method == "load":
                        answer(id, result={"handlers": ["echo", "fail", "progress", "wait"]})
                    elif method == "invoke" and params["export"] == "echo":
                        answer(id, result={"output": {**params["input"], "more": 1}})
                    elif id is not None and method != "ping" and params.get("export") != "wait":
                        answer(id, error={"code": -32000, "message": "no", "data": {"name": "No"}})
                while True:
                    time.sleep(1)
                """, "/usr/bin/env python3");

        assertThat(new HostCheck(List.of(host.toString()), host, Duration.ofSeconds(3), outcomes::add).run()).isFalse();
        assertThat(outcomes).filteredOn(outcome -> !outcome.kept()).extracting(Outcome::rule)
                .anyMatch(rule -> rule.startsWith("returns the output"))
                .anyMatch(rule -> rule.startsWith("sends progress")).anyMatch(rule -> rule.startsWith("answers `ping`"))
                .anyMatch(rule -> rule.startsWith("refuses an unknown method"))
                .anyMatch(rule -> rule.startsWith("writes nothing but messages"))
                .anyMatch(rule -> rule.startsWith("ends with its input"));
    }

    private boolean check(Path file, String... program) throws IOException, InterruptedException {
        return new HostCheck(List.of(program), file, outcomes::add).run();
    }

    private Path script(String text) throws IOException {
        return script(text, "/bin/sh");
    }

    private Path script(String text, String interpreter) throws IOException {
        Path script = Files.writeString(folder.resolve("host"), "#!" + interpreter + "\n" + text);
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }
}
