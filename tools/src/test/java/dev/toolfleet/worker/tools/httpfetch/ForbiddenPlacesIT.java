package dev.toolfleet.worker.tools.httpfetch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.egress.AddressLookup;
import dev.toolfleet.worker.egress.AddressRange;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// No argument of an agent makes a worker connect to a forbidden place. `127.0.0.1` has a server that must get no
/// connection; `127.0.0.2` stands for the public internet.
@Isolated("sets proxies for this JVM")
class ForbiddenPlacesIT {
    private static final String ALLOWED = "127.0.0.2";
    private static final String CONFIG = "{'allowAddresses': ['" + ALLOWED + "'], 'allowPorts': ['1-65535']}";

    private final List<List<String>> answers = new ArrayList<>();
    private final List<String> lookups = new ArrayList<>();
    private final List<AddressRange> own = new ArrayList<>();
    private final DeclaredTool http = new DeclaredTool("http-fetch", new HttpFetchModule(InstantSource.system(),
            System::nanoTime, EgressList.ALL, new AddressLookup(this::lookUp, () -> own),
            DefaultClientTlsStrategy.createDefault())).configured(CONFIG);
    private final RawServer trap;

    ForbiddenPlacesIT() throws IOException {
        trap = RawServer.on("127.0.0.1", RawServer.answering("200 OK", "secret"));
    }

    @AfterEach
    void nobodyWasThere() throws IOException {
        trap.close();
        assertThat(trap.accepted()).isZero();
    }

    @Test
    void loopbackIsRefused() throws Exception {
        refused("http://127.0.0.1:" + trap.port() + "/");
    }

    @Test
    void aNameOfLoopbackIsRefused() throws Exception {
        answers.add(List.of("127.0.0.1"));
        refused("http://localhost:" + trap.port() + "/");
    }

    @Test
    void loopbackAsIpv4InIpv6IsRefused() throws Exception {
        refused("http://[::ffff:127.0.0.1]:" + trap.port() + "/");
    }

    @Test
    void loopbackOfIpv6IsRefused() throws Exception {
        refused("http://[::1]:" + trap.port() + "/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x7f.1", "2130706433", "017700000001", "127.1", "0x7f.0x0.0x0.0x1", "127.0.0.01"})
    void loopbackInOtherNotationsIsRefused(String host) throws Exception {
        invalid("http://" + host + ":" + trap.port() + "/");
        assertThat(lookups).isEmpty();
    }

    @Test
    void anAddressThatMeansThisMachineIsRefused() throws Exception {
        refused("http://0.0.0.0:" + trap.port() + "/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"good.example@127.0.0.1", "good.example%40127.0.0.1", "good.example\\@127.0.0.1",
            "good.example:80@127.0.0.1", "127.0.0.1%00.good.example", "127.0.0.1 .good.example",
            "127.0.0.1%2f.good.example", "127\u30020\u30020\u30021"})
    void tricksWithTheHostAreRefused(String host) throws Exception {
        invalid("http://" + host.replace("\\", "\\\\") + ":" + trap.port() + "/");
        assertThat(lookups).isEmpty();
    }

    @Test
    void aRedirectToMetadataIsRefused() throws Exception {
        redirectIsRefused("http://169.254.169.254/latest/meta-data/");
    }

    @Test
    void aRedirectToMetadataOverIpv6IsRefused() throws Exception {
        redirectIsRefused("http://[fd00:ec2::254]/latest/meta-data/");
    }

    @Test
    void aRedirectToLoopbackIsRefused() throws Exception {
        redirectIsRefused("//127.0.0.1:" + trap.port() + "/");
    }

    @Test
    void aRedirectToANameOfLoopbackIsRefused() throws Exception {
        answers.add(List.of("127.0.0.1"));
        redirectIsRefused("http://inside.example:" + trap.port() + "/");
    }

    @Test
    void aRedirectOffTheListOfTheOperatorIsRefused() throws Exception {
        answers.add(List.of(ALLOWED));
        try (RawServer server = RawServer.on(ALLOWED, trap.port(), RawServer.redirecting("http://off.example/"))) {
            DeclaredTool listed = new DeclaredTool("http-fetch",
                    new HttpFetchModule(InstantSource.system(), System::nanoTime,
                            EgressList.of(List.of("on.example:" + trap.port())),
                            new AddressLookup(this::lookUp, () -> own), DefaultClientTlsStrategy.createDefault()))
                    .configured(CONFIG);

            ToolException failure = listed.failure("get", "{'url': 'http://on.example:" + trap.port() + "/'}");
            assertThat(failure.code()).isEqualTo("E_HTTP_REFUSED");
            assertThat(failure).hasMessageContaining("'off.example'").hasMessageContaining("worker.egress.allow");
            assertThat(server.accepted()).isEqualTo(1);
            assertThat(lookups).containsExactly("on.example");
        }
    }

    @Test
    void aRedirectToAFileIsRefused() throws Exception {
        try (RawServer server = RawServer.on(ALLOWED, RawServer.redirecting("file:///etc/passwd"))) {
            invalid(server.url("/"));
        }
    }

    @Test
    void aRedirectWithAUserIsRefused() throws Exception {
        try (RawServer server = RawServer.on(ALLOWED,
                RawServer.redirecting("http://good.example@127.0.0.1:" + trap.port() + "/"))) {
            invalid(server.url("/"));
        }
    }

    /// The first answer is checked and used; the second, which would lead inside, is never asked for.
    @Test
    void aNameThatIsRebornAsLoopbackIsConnectedWhereItWasChecked() throws Exception {
        answers.add(List.of(ALLOWED));
        answers.add(List.of("127.0.0.1"));
        try (RawServer server = RawServer.on(ALLOWED, trap.port(), RawServer.answering("200 OK", "public"))) {
            assertThat(
                    http.call("get", "{'url': 'http://rebind.example:" + trap.port() + "/'}").path("body").asString())
                    .isEqualTo("public");
            assertThat(lookups).containsExactly("rebind.example");
            assertThat(server.seen().getFirst().says("host: rebind.example:" + trap.port())).isTrue();

            refused("http://rebind.example:" + trap.port() + "/");
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    @Test
    void aNameThatIsRebornBetweenRedirectsIsRefused() throws Exception {
        answers.add(List.of(ALLOWED));
        answers.add(List.of("127.0.0.1"));
        try (RawServer server = RawServer.on(ALLOWED, trap.port(), RawServer.redirecting("/again"))) {
            refused("http://rebind.example:" + trap.port() + "/");
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    @Test
    void aNameWithOneAddressInsideIsRefusedBeforeAnythingIsSent() throws Exception {
        answers.add(List.of(ALLOWED, "10.0.0.1"));
        try (RawServer server = RawServer.on(ALLOWED, RawServer.answering("200 OK", ""))) {
            refused("http://mixed.example:" + server.port() + "/");
            assertThat(server.accepted()).isZero();
        }
    }

    @Test
    void aNameOfTheInnerNetworkIsRefusedInTheWordsForNoName() throws Exception {
        answers.add(List.of("10.20.30.40"));
        String inner = String.valueOf(refused("http://some.example/").getMessage());
        assertThat(inner).doesNotContain("10.20").doesNotContain("private");

        String none = String.valueOf(refused("http://none.example/").getMessage());
        assertThat(none).isEqualTo(inner.replace("some", "none"));
    }

    @Test
    void aNeighbourOfTheWorkerIsRefused() throws Exception {
        own.add(AddressRange.parse("2600:1f18:1:2::/64"));
        assertThat(refused("http://[2600:1f18:1:2::5]/")).hasMessageContaining("own network");
        answers.add(List.of("2600:1f18:1:2::5"));
        refused("http://neighbour.example/");
    }

    @Test
    void aDeniedAddressIsDeniedInItsOtherSpelling() throws Exception {
        DeclaredTool denying = new DeclaredTool("http-fetch", new HttpFetchModule(EgressList.ALL))
                .configured("{'denyHosts': ['93.184.216.34'], 'allowPorts': ['1-65535']}");
        for (String host : List.of("93.184.216.34", "[::ffff:93.184.216.34]", "[::ffff:5db8:d822]"))
            assertThat(denying.failure("get", "{'url': 'http://" + host + "/'}"))
                    .hasMessageContaining("'93.184.216.34' is denied by the operator");
    }

    @Test
    void aProxyOfTheJvmIsNotUsed() throws Exception {
        System.setProperty("socksProxyHost", "127.0.0.1");
        System.setProperty("socksProxyPort", "" + trap.port());
        System.setProperty("http.proxyHost", "127.0.0.1");
        System.setProperty("http.proxyPort", "" + trap.port());
        try (RawServer server = RawServer.on(ALLOWED, RawServer.answering("200 OK", "direct"))) {
            assertThat(http.call("get", "{'url': '" + server.url("/") + "'}").path("body").asString())
                    .isEqualTo("direct");
        } finally {
            List.of("socksProxyHost", "socksProxyPort", "http.proxyHost", "http.proxyPort")
                    .forEach(System::clearProperty);
        }
    }

    @Test
    void aNameWithoutAddressesIsAnError() throws Exception {
        assertThat(http.failure("get", "{'url': 'http://nowhere.example/'}").code()).isEqualTo("E_HTTP_REFUSED");
    }

    private void redirectIsRefused(String location) throws Exception {
        try (RawServer server = RawServer.on(ALLOWED, RawServer.redirecting(location))) {
            refused(server.url("/"));
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    private ToolException refused(String url) throws Exception {
        ToolException failure = http.failure("get", "{'url': '" + url + "'}");
        assertThat(failure.code()).isEqualTo("E_HTTP_REFUSED");
        return failure;
    }

    private void invalid(String url) throws Exception {
        assertThat(http.failure("get", "{'url': '" + url + "'}").code()).isEqualTo("E_TOOL_INVALID_ARGS");
    }

    /// One answer for each question, in order.
    private InetAddress[] lookUp(String name) throws UnknownHostException {
        lookups.add(name);
        if (answers.isEmpty())
            throw new UnknownHostException(name);
        return answers.removeFirst().stream().map(InetAddress::ofLiteral).toArray(InetAddress[]::new);
    }
}
