package dev.toolfleet.catalog.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;

import com.sun.net.httpserver.HttpServer;
import dev.toolfleet.http.HostPort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.catalog.http.CatalogRouteTest.assertProblem;
import static dev.toolfleet.catalog.http.CatalogRouteTest.item;
import static dev.toolfleet.catalog.http.FakeService.path;
import static org.assertj.core.api.Assertions.assertThat;

class OtherServicesTest {
    private final FakeService here = new FakeService();
    private final FakeService there = new FakeService();

    OtherServicesTest() {
        here.otherwise = peers(there.address());
        there.otherwise = peers(here.address());
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void aStepOfAnotherServiceIsSentThereWithItsParameters() {
        there.has("a/b", "coder", item());

        HttpResponse<String> sent = here.get(path("a/b", "coder") + "?format=mcp");

        assertThat(sent.statusCode()).isEqualTo(307);
        String location = sent.headers().firstValue("Location").orElseThrow();
        assertThat(location).isEqualTo("http://" + there.address() + path("a/b", "coder") + "?format=mcp&hop=1");
        HttpResponse<String> followed = FakeService.send(URI.create(location), "GET");
        assertThat(followed.statusCode()).isEqualTo(200);
        assertThat(followed.body()).contains("file.read");
    }

    @Test
    void aStepThatNobodyHasIsUnknownAndEachIsAskedOnce() {
        assertProblem(here.get(path("i", "coder")), 404, "unknown-catalog");

        assertThat(here.finds).hasValue(1);
        assertThat(there.finds).hasValue(1);
    }

    @Test
    void aRequestThatWasSentHereIsNeverSentOn() {
        there.has("i", "coder", item());

        assertProblem(here.get(path("i", "coder") + "?hop=1"), 503, "not-ready", "moved");
        assertThat(there.finds).hasValue(0);
    }

    @Test
    void aQuestionOfAnotherServiceIsAnsweredFromTheOwnStoreAlone() {
        there.has("i", "coder", item());

        assertProblem(here.get(path("i", "coder"), CatalogRoute.HOP_HEADER, "1"), 404, "unknown-catalog");
        assertThat(there.finds).hasValue(0);
    }

    @Test
    void aServiceThatIsDownIsNamedUnlessAnotherHasTheStep() throws IOException {
        HostPort down;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            down = new HostPort("127.0.0.1", socket.getLocalPort());
        }
        here.otherwise = peers(down, there.address());

        assertProblem(here.get(path("i", "coder")), 503, "not-ready", down.toString());
        there.has("i", "coder", item());
        assertThat(here.get(path("i", "coder")).statusCode()).isEqualTo(307);
    }

    @Test
    void aServiceThatCannotTellIsNotTakenForANo() {
        there.otherwise = new Whereabouts.Unclear("partitions are moving");

        assertProblem(here.get(path("i", "coder")), 503, "not-ready", there.address().toString());
    }

    @Test
    void somethingElseAtThatAddressIsNotTakenForANo() throws IOException {
        HttpServer stranger = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        stranger.createContext("/", exchange -> {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        stranger.start();
        try {
            here.otherwise = peers(new HostPort("127.0.0.1", stranger.getAddress().getPort()));

            assertProblem(here.get(path("i", "coder")), 503, "not-ready");
        } finally {
            stranger.stop(0);
        }
    }

    @Test
    void partitionsOfWhichNobodySpeaksMayHoldTheStep() {
        here.otherwise = new Whereabouts.NotHere(List.of(there.address()), List.of(2, 3));

        assertProblem(here.get(path("i", "coder")), 503, "not-ready", "[2, 3]", "catalog.http.advertised");
        there.has("i", "coder", item());
        assertThat(here.get(path("i", "coder")).statusCode()).isEqualTo(307);
    }

    @Test
    void servicesAskEachOtherWithTheirToken() {
        try (FakeService guarded = new FakeService(FakeService.TOKEN);
                FakeService owner = new FakeService(FakeService.TOKEN).has("i", "coder", item());
                FakeService other = new FakeService("another-token-of-length")) {
            String[] bearer = {"Authorization", "Bearer " + FakeService.TOKEN};
            guarded.otherwise = peers(owner.address());
            assertThat(guarded.get(path("i", "coder"), bearer).statusCode()).isEqualTo(307);

            guarded.otherwise = peers(other.address());
            assertProblem(guarded.get(path("i", "coder"), bearer), 503, "not-ready", "catalog.http.token");
        }
    }

    private static Whereabouts peers(HostPort... peers) {
        return new Whereabouts.NotHere(List.of(peers), List.of());
    }
}
