package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.egress.EgressRules;
import dev.toolfleet.worker.egress.TestServers;
import dev.toolfleet.worker.sandbox.SandboxConfig.Mode;
import dev.toolfleet.worker.sandbox.SandboxConfig.Network;
import dev.toolfleet.worker.sandbox.Walls.Said;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/// The way out of the walls, as programs use it.
@Isolated("finds its folder by the id of this process")
class EgressIT {
    private static final String OF_THIS_JVM = "toolfleet-egress-" + ProcessHandle.current().pid() + "-";
    private static final String LEFT = "/.egress";

    @TempDir
    Path root;
    private Path workdir = Path.of(".");
    private final TestServers servers;

    EgressIT() throws IOException {
        servers = new TestServers().named("ok.example", TestServers.PUBLIC).named("inner.example", "127.0.0.1");
    }

    @BeforeEach
    void makeFolder() throws IOException {
        workdir = Files.createDirectory(root.toRealPath().resolve("w"));
    }

    @AfterEach
    void close() {
        servers.close();
    }

    @Test
    void curlReachesAHostOnTheListAndNoOther() throws Exception {
        needs("curl");
        try (Sandbox sandbox = walls(servers.rules(here(), "inner.example"))) {
            Said plain = run(sandbox, "curl -sS -d body http://" + here() + "/plain");
            Said tunnel = run(sandbox, "curl -sS -p http://" + here() + "/tunnel");
            Said other = run(sandbox, "curl -sS http://other.example/");
            Said inner = run(sandbox, "curl -sS http://inner.example/; curl -sS http://127.0.0.1:80/ --noproxy ''");
            Said closed = run(sandbox, "curl -sSv https://other.example/");

            assertThat(plain).isEqualTo(new Said(0, "POST /plain " + here() + " body\n", ""));
            assertThat(tunnel).isEqualTo(new Said(0, "GET /tunnel " + here() + "\n", ""));
            assertThat(other.out()).contains("'other.example', port 80", "worker.egress.allow");
            assertThat(inner.out()).contains("'inner.example' is no host", "'127.0.0.1', port 80")
                    .doesNotContain("address is");
            assertThat(closed.status()).isNotZero();
            assertThat(closed.err()).contains("403 toolfleet: The host 'other.example', port 443",
                    "worker.egress.allow");
            assertThat(sandbox.egress().allowed()).isEqualTo(2);
            assertThat(sandbox.egress().refused()).isEqualTo(4);
        }
    }

    @Test
    void gitClonesOverTheProxy() throws Exception {
        needs("git");
        Path origin = Files.createDirectory(root.resolve("origin"));
        Process made = new ProcessBuilder("/bin/sh", "-c", "git init -q . && git -c user.name=a -c user.email=a@b.c"
                + " commit -q --allow-empty -m first && git update-server-info").directory(origin.toFile()).start();
        assertThat(made.waitFor(1, TimeUnit.MINUTES)).isTrue();
        try (TestServers files = TestServers.of(origin.resolve(".git")).named("git.example", TestServers.PUBLIC);
                Sandbox sandbox = walls(files.rules("git.example:" + files.port()))) {
            Said said = run(sandbox,
                    "git clone -q http://git.example:" + files.port() + "/ c && git -C c log --format=%s");
            assertThat(said).as("%s", said).isEqualTo(new Said(0, "first\n", ""));
        }
    }

    @Test
    void pythonReachesAHostOnTheListAndSaysWhyNoOther() throws Exception {
        needs("python3");
        try (Sandbox sandbox = walls(servers.rules(here()))) {
            String script = "python3 -c \"import urllib.request as r; print(r.urlopen('%s').read().decode())\"";
            assertThat(run(sandbox, script.formatted("http://" + here() + "/py")).out()).contains("GET /py");
            assertThat(run(sandbox, script.formatted("https://other.example/")).err()).contains("403",
                    "'other.example', port 443", "worker.egress.allow");
        }
    }

    @Test
    void nothingLeadsOutBesideTheProxy() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Sandbox sandbox = walls(servers.rules(here()))) {
            Said said = run(sandbox, "for to in tcp/" + TestServers.PUBLIC + "/" + servers.port() + " tcp/127.0.0.1/"
                    + server.getLocalPort() + " tcp/192.0.2.1/443 udp/192.0.2.1/53; do"
                    + " bash -c \"echo > /dev/$to\" && echo sent; done 2>/dev/null;"
                    + " getent ahosts ok.example && echo resolved; ls /etc/resolv.conf /sys/class/net; cat /proc/net/dev");
            assertThat(said.out()).doesNotContain("sent", "resolved", "resolv.conf", "eth", "ens").contains("lo:");
            assertThat(servers.seen()).isEmpty();
        }
    }

    @Test
    void aCommandSeesItsOwnSocketAlone() throws Exception {
        try (Sandbox sandbox = walls(servers.rules(here()));
                StartedProgram other = sandbox
                        .start(new ConfinedProgram(List.of("/bin/sh", "-c", "sleep 60"), workdir, workdir,
                                Map.of()))) {
            Path sockets = sockets();
            Said said = run(sandbox, "ls -a / | grep egress; ls " + sockets + " 2>&1; cat /proc/net/unix");

            assertThat(said.out()).contains(".egress", "No such file").doesNotContain(sockets + "/");
            assertThat(files(sockets)).as("the proxy of the other command").isEqualTo(1);
            other.end(Duration.ZERO);
        }
    }

    @Test
    void theProxyOfACommandEndsWithIt() throws Exception {
        try (Sandbox sandbox = walls(servers.rules(here()))) {
            Said said = run(sandbox, "ls -l " + LEFT + " | cut -c1; setsid sleep 74.5001 >/dev/null 2>&1 & echo ends");
            assertThat(said.out()).contains("s\n", "ends\n");
            assertThat(files(sockets())).isZero();
        }
    }

    @Test
    void theForwarderStandsUnderTheLimitsOfItsCommandAndIsNoneOfItsChildren() throws Exception {
        try (Sandbox sandbox = walls(servers.rules(here()))) {
            Said said = run(sandbox, "for p in /proc/[0-9]*; do grep -q egress-forwarder $p/cmdline 2>/dev/null"
                    + " && [ $p != /proc/$$ ] && { grep 'Max file size' $p/limits; grep PPid $p/status; }; done; exit 0");

            assertThat(said.out()).contains("Max file size", " " + Walls.LIMITS.fileSize()).contains("PPid:\t1");
        }
    }

    @Test
    void theVariablesOfACallComeAfterThoseOfTheProxy() throws Exception {
        try (Sandbox sandbox = walls(servers.rules(here()))) {
            Said said = Walls.run(sandbox, workdir, Map.of("HTTPS_PROXY", "mine"),
                    "echo $HTTP_PROXY $HTTPS_PROXY $http_proxy $https_proxy $NO_PROXY");
            assertThat(said.out()).isEqualTo("http://127.0.0.1:3128 mine http://127.0.0.1:3128 http://127.0.0.1:3128"
                    + " localhost,127.0.0.1,::1\n");
        }
    }

    @Test
    void manyConnectionsAtATimeAndLargeAnswersPass() throws Exception {
        needs("curl");
        try (Sandbox sandbox = walls(servers.rules(here()))) {
            Said said = run(sandbox, "for i in 1 2 3 4 5 6; do curl -sS http://" + here() + "/$i & done; wait;"
                    + " head -c 200000 /dev/zero | tr '\\0' x > body; curl -sS -T body http://" + here()
                    + "/large | wc -c");
            assertThat(said.err()).isEmpty();
            assertThat(said.out().lines().filter(line -> line.startsWith("GET /"))).hasSize(6);
            assertThat(said.out().strip()).endsWith(Integer.toString(200_000 + ("PUT /large " + here() + " ").length()
                    + 1));
        }
    }

    @Test
    void withoutPerlACommandHasNoNetworkAndRequiredSaysWhy() {
        Walls.small().close();
        SandboxConfig config = new SandboxConfig(Mode.PREFERRED, new Network.Egress(servers.rules(here())),
                Walls.LIMITS, List.of());
        Programs noPerl = name -> name.equals("perl") ? java.util.Optional.empty() : Programs.installed().find(name);
        Sandbox.Parts parts = new SandboxPreparation(config, noPerl, Cgroups.of(Path.of("/proc")),
                System.getProperty("os.version"), System.getProperty("os.arch")).parts(Path.of("/srv/workspace"));

        assertThat(parts.notices()).anyMatch(notice -> notice.contains("commands have no network")
                && notice.contains("worker.sandbox.network") && notice.contains("perl"));
        assertThat(parts.walls().orElseThrow().network()).isFalse();
        assertThat(parts.walls().orElseThrow().forwarder()).isEmpty();
    }

    private String here() {
        return "ok.example:" + servers.port();
    }

    private Said run(Sandbox sandbox, String script) throws IOException, InterruptedException {
        return Walls.run(sandbox, workdir, script);
    }

    private static Sandbox walls(EgressRules rules) {
        Sandbox sandbox = Walls.with(new SandboxConfig(Mode.PREFERRED, new Network.Egress(rules), Walls.LIMITS,
                List.of()));
        assertThat(sandbox.notices()).noneMatch(notice -> notice.contains("network"));
        return sandbox;
    }

    /// Skips the test where the program is missing; fails it where the tests of the sandbox are required.
    private static void needs(String program) {
        if ("required".equals(System.getenv("SANDBOX_TESTS")))
            assertThat(Programs.installed().find(program)).as(program).isPresent();
        Assumptions.assumeTrue(Programs.installed().find(program).isPresent(), program + " is not installed");
    }

    private static long files(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.count();
        }
    }

    /// The folder of the proxies that were opened last.
    private static Path sockets() throws IOException {
        try (var folders = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return folders.filter(folder -> folder.getFileName().toString().startsWith(OF_THIS_JVM))
                    .max(java.util.Comparator.comparingLong(folder -> folder.toFile().lastModified())).orElseThrow();
        }
    }
}
