package dev.toolfleet.gateway.readers;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.lists.InstanceViews.Shown;
import dev.toolfleet.gateway.lists.InstanceViews.View;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.FleetServer;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.json.Json;
import io.javalin.http.Context;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Reads by way of services that admit as catalog services do: by the token, or by a signature with it.
class ServiceReaderTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final int TEMPORARY_REDIRECT = 307;

    private final List<AutoCloseable> open = new ArrayList<>();
    /// Requests as the services saw them: the address, and `Authorization`.
    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open)
            each.close();
    }

    /// Starts a service with that answer.
    private FleetServer service(String name, Consumer<Context> answer) {
        FleetServer server = new FleetServer(
                HttpConfig.of("catalog.http", "127.0.0.1", "0", TOKEN, "").orElseThrow());
        open.add(server);
        server.start(List.of(routes -> routes.get("/v1/instances/{instanceKey}/agents/{agent}/catalog", ctx -> {
            String query = ctx.queryString();
            seen.add(name + " " + ctx.path() + (query == null ? "" : "?" + query) + " " + ctx.header("Authorization"));
            answer.accept(ctx);
        })), "", new SimpleMeterRegistry());
        return server;
    }

    private ServiceReader reader(FleetServer service, String token) {
        ServiceReader reader = new ServiceReader(
                ServiceAddress.of(ServiceAddress.CATALOG, "http://" + service.reachedAt() + "/", token));
        open.addFirst(reader);
        return reader;
    }

    private static void show(Context ctx) {
        ctx.header("Toolfleet-Step-Id", "s").header("X-Internal", "no");
        if (!Answers.notModified(ctx, "d"))
            Answers.json(ctx, Json.MAPPER.createObjectNode().put("digest", "d"));
    }

    private static Shown found(Answer<Shown> answer) {
        assertThat(answer).isInstanceOf(Answer.Found.class);
        return ((Answer.Found<Shown>) answer).value();
    }

    @Test
    void aCatalogIsReadWithItsHeadersAndOnlyThose() {
        ServiceReader reader = reader(service("a", ServiceReaderTest::show), TOKEN);

        Shown shown = found(reader.read(View.CATALOG, "i/ü 1", "coder", Map.of("format", "openai"), null));
        Shown same = found(reader.read(View.CATALOG, "i/ü 1", "coder", Map.of(), "\"d\""));

        assertThat(shown.body()).asString().isEqualTo("{\"digest\":\"d\"}");
        assertThat(shown.headers()).containsEntry("toolfleet-step-id", "s").containsEntry("etag", "\"d\"")
                .doesNotContainKey("x-internal");
        assertThat(same.body()).isNull();
        assertThat(same.headers()).containsEntry("toolfleet-step-id", "s");
        assertThat(seen).containsExactly(
                "a /v1/instances/i%2F%C3%BC%201/agents/coder/catalog?format=openai Bearer " + TOKEN,
                "a /v1/instances/i%2F%C3%BC%201/agents/coder/catalog Bearer " + TOKEN);
    }

    @Test
    void theOwnerOfAStepGetsASignatureAndNeverTheToken() {
        FleetServer owner = service("owner", ServiceReaderTest::show);
        ServiceReader reader = reader(service("other", ctx -> ctx.status(TEMPORARY_REDIRECT)
                .header("Location", "http://" + owner.reachedAt() + ctx.path() + "?hop=1")), TOKEN);

        assertThat(found(reader.read(View.CATALOG, "i", "coder", Map.of(), null)).body()).asString().contains("digest");

        assertThat(seen).hasSize(2);
        assertThat(seen.getLast()).startsWith("owner /v1/instances/i/agents/coder/catalog?hop=1 Toolfleet-Hmac ")
                .doesNotContain(TOKEN);
    }

    @Test
    void aRequestIsSentOnOnceOnly() {
        List<String> addresses = new ArrayList<>();
        FleetServer circle = service("circle", ctx -> ctx.status(TEMPORARY_REDIRECT)
                .header("Location", addresses.getFirst() + ctx.path()));
        addresses.add("http://" + circle.reachedAt());

        assertThat(reader(circle, TOKEN).read(View.CATALOG, "i", "coder", Map.of(), null))
                .isInstanceOf(Answer.Unavailable.class);

        assertThat(seen).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no address", "ftp://127.0.0.1/x", "http:///x"})
    void aRedirectionToNowhereIsUnavailable(String location) {
        ServiceReader reader = reader(service("a", ctx -> ctx.status(TEMPORARY_REDIRECT)
                .header("Location", location)), TOKEN);

        assertThat(reader.read(View.CATALOG, "i", "coder", Map.of(), null)).isInstanceOf(Answer.Unavailable.class);
    }

    @Test
    void anUnknownStepIsUnknownAndAnotherRefusalIsNot() {
        assertThat(reader(service("a", ctx -> ctx.status(404)), TOKEN).read(View.CATALOG, "i", "coder", Map.of(), null))
                .isInstanceOf(Answer.Unknown.class);
        assertThat(reader(service("a", ctx -> ctx.status(503)), TOKEN).read(View.CATALOG, "i", "coder", Map.of(), null))
                .isInstanceOf(Answer.Unavailable.class);
        assertThat(reader(service("a", ServiceReaderTest::show), "another-token-of-16").read(View.CATALOG, "i", "coder",
                Map.of(), null)).as("the wrong token").isInstanceOf(Answer.Unavailable.class);
    }

    @Test
    void aServiceThatIsAwayOrAnswersTooMuchIsUnavailable() throws Exception {
        FleetServer away = service("a", ServiceReaderTest::show);
        ServiceReader reader = reader(away, TOKEN);
        away.close();
        assertThat(reader.read(View.CATALOG, "i", "coder", Map.of(), null)).isInstanceOf(Answer.Unavailable.class);

        FleetServer large = service("a", ctx -> ctx.result(new byte[17 * 1024 * 1024]));
        assertThat(reader(large, TOKEN).read(View.CATALOG, "i", "coder", Map.of(), null))
                .isInstanceOf(Answer.Unavailable.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\u2028\"", "a\r\nX: y", ""})
    void aValidatorThatIsNoHeaderIsLeftOut(String validator) {
        ServiceReader reader = reader(service("a", ServiceReaderTest::show), TOKEN);

        assertThat(found(reader.read(View.CATALOG, "i", "coder", Map.of(), validator)).body()).isNotNull();
    }

    @Test
    void anAddressThatIsNoneIsRefusedWithItsSetting() {
        for (String wrong : List.of("", "catalog:7070", "ftp://catalog", "http://user:pw@catalog", "http://c/?q=1",
                "http://[", "http://c/#part"))
            assertThatThrownBy(() -> ServiceAddress.of(ServiceAddress.CATALOG, wrong, "")).as(wrong)
                    .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith("gateway.catalog.url '");
        assertThatThrownBy(() -> ServiceAddress.of(ServiceAddress.CATALOG, "http://c", "short"))
                .hasMessageContaining("gateway.catalog.token")
                .hasMessageNotContaining("short;");
        assertThat(ServiceAddress.of(ServiceAddress.CATALOG, "https://c:1/fleet/", TOKEN)).isEqualTo(new ServiceAddress(
                URI.create("https://c:1/fleet"), Optional.of(new BearerToken("x", TOKEN))));
    }
}
