package dev.toolfleet.worker.registry;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Ref;
import dev.toolfleet.bundle.ToolAuth;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.middleware.ToolPublisher;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.resources.RegistrationPlan;
import dev.toolfleet.tool.Authorized;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PublishedToolsTest {
    private static final RegistrationOwner WEATHER = RegistrationOwner.extension("acme", "coder", "weather");
    private static final ToolRef LOOK = new ToolRef(WEATHER.namespace(), "sky", "look");
    private static final ToolHandler NOTHING = (ctx, input) -> null;

    private final TestResources topic = new TestResources();
    private final Code code = new Code();
    private Instant now = Instant.EPOCH;
    private final ToolRegistry registry = new ToolRegistry(code, List.of(), () -> now, () -> {});

    /// Makes extensions and keeps their publishers.
    private static final class Code implements ModuleLoader {
        private final List<ToolPublisher> publishers = new CopyOnWriteArrayList<>();
        private final List<ToolSpec> authorized = new CopyOnWriteArrayList<>();
        private final AtomicInteger closed = new AtomicInteger();
        private volatile boolean missing;
        private volatile boolean toldThatToolsRun;

        @Override
        public ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files) {
            if (missing)
                throw new ModuleLoadException("the file 'lib/acme.jar' is missing");
            return () -> Map.of("run", NOTHING);
        }

        @Override
        public TokenSource tokens(String bundle, ToolSpec spec) {
            if (missing)
                throw new ModuleLoadException("no OAuth key");
            authorized.add(spec);
            return (context, minTtl, scopes) -> new TokenAnswer.Failed("unavailable", "a test");
        }

        @Override
        public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
            return new ExtensionModule() {
                @Override
                public void register(ExtensionRegistrar registrar, ObjectNode config) {
                    toldThatToolsRun = registrar.runsTools();
                    publishers.add(registrar.tools());
                    publishers.add(registrar.mcpTools("github"));
                }

                @Override
                public void close() {
                    closed.incrementAndGet();
                }
            };
        }
    }

    // Otherwise: an extension starts its MCP servers in every catalog service, too.
    @Test
    void anExtensionIsToldThatToolsRunHere() {
        applyCoder(1);
        await().until(() -> !code.publishers.isEmpty());

        assertThat(code.toldThatToolsRun).isTrue();
        assertThat(((ExtensionRegistrar) (priority, middleware) -> {}).runsTools()).as("as in a catalog service")
                .isFalse();
    }

    @Test
    void aDeclaredToolRunsByTheHandlerThatIsOfferedHere() {
        applyCoder(1);
        declare(WEATHER, "sky__look");
        assertThat(registry.acquire(LOOK)).isNull();
        assertThat(registry.problems().get(WEATHER.namespace() + "/sky__look")).contains("has not published it");
        assertThat(registry.whyMissing(LOOK)).isNotNull();

        publish("sky__look");
        RegisteredTool tool = requireNonNull(registry.acquire(LOOK));
        assertThat(tool.handler()).isSameAs(NOTHING);
        assertThat(tool.export().annotations().readOnly()).isTrue();
        assertThat(registry.problems()).isEmpty();
        assertThat(registry.readOnly("sky__look")).isTrue();
        assertThat(requireNonNull(registry.listedBy("coder", "sky__look")).item().tool()).isEqualTo(LOOK);
        tool.release();
    }

    @Test
    void whatIsOfferedAndNotDeclaredIsNoTool() {
        applyCoder(1);
        publish("sky__look");

        assertThat(registry.acquire(LOOK)).isNull();
        assertThat(registry.standing(LOOK)).isEqualTo(DeclarationState.GONE);
        assertThat(registry.offered()).anySatisfy(offer -> assertThat(offer.tools()).containsOnlyKeys("sky__look"));
    }

    @Test
    void aLapsedRegistrationIsTold() {
        applyCoder(1);
        publish("sky__look");
        declare(WEATHER, "sky__look");
        assertThat(registry.standing(LOOK)).isEqualTo(DeclarationState.DECLARED);

        now = now.plusSeconds(36);
        assertThat(registry.standing(LOOK)).isEqualTo(DeclarationState.LAPSED);
        assertThat(registry.named("sky__look")).isNull();
        declare(WEATHER, "sky__look");
        assertThat(registry.standing(LOOK)).isEqualTo(DeclarationState.DECLARED);
    }

    @Test
    void anExtensionThatDidNotChangeKeepsItsModuleAndItsTools() {
        applyCoder(1);
        publish("sky__look");
        declare(WEATHER, "sky__look");

        topic.apply(registry, "other", TestResources.tool("t", PublishedToolsTest.class, "run"));
        assertThat(code.publishers).hasSize(2);
        assertThat(registry.runs(LOOK)).isTrue();
    }

    @Test
    void aReplacedExtensionOffersNothingAndClosesAfterItsCall() {
        applyCoder(1);
        publish("sky__look");
        declare(WEATHER, "sky__look");
        RegisteredTool running = requireNonNull(registry.acquire(LOOK));

        applyCoder(2);
        assertThat(registry.runs(LOOK)).isFalse();
        publish("sky__look");
        assertThat(registry.runs(LOOK)).as("the old publisher counts for nothing").isFalse();
        assertThat(code.closed).hasValue(0);
        running.release();
        await().until(() -> code.closed.get() == 1);
    }

    @Test
    void aNameThatNoModelCanCallIsLeftOutAndStopsNobody() {
        applyCoder(1);
        publish("look");
        publish("sky__look");

        assertThat(registry.leftOut()).containsOnlyKeys(WEATHER.namespace() + "/look");
        assertThat(registry.problems()).isEmpty();
        assertThat(registry.offered()).anySatisfy(offer -> assertThat(offer.tools()).containsOnlyKeys("sky__look"));
    }

    /// The owner of a registration is no bundle, so the app gets the bundle of the extension.
    @Test
    void aToolThatActsForPeopleGetsItsTokensAndTheAppOfItsBundle() {
        List<TokenSource> given = new ArrayList<>();
        ObjectNode export = Json.MAPPER.createObjectNode();
        export.putObject("auth").put("oauthAppRef", "OAuthApp/sky").put("onMissing", "wait").putArray("scopes")
                .add("look");
        applyCoder(1);
        code.publishers.getFirst().publish(new ToolDeclaration("sky__look", export), new AuthorizedLook(given));

        assertThat(given).hasSize(1);
        assertThat(code.authorized).singleElement().satisfies(spec -> assertThat(spec.exports().getFirst().auth())
                .contains(new ToolAuth(new Ref(Kinds.OAUTH_APP, "sky", WEATHER.bundle()), List.of("look"),
                        ToolAuth.OnMissing.WAIT)));

        code.missing = true;
        code.publishers.getFirst().publish(new ToolDeclaration("sky__look", export), new AuthorizedLook(given));
        assertThat(registry.leftOut().get(WEATHER.namespace() + "/sky__look")).contains("no OAuth key");
    }

    private record AuthorizedLook(List<TokenSource> given) implements ToolModule, Authorized {
        @Override
        public void tokens(TokenSource source) {
            given.add(source);
        }

        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of("look", NOTHING);
        }
    }

    @Test
    void aToolWhosePatternRe2CannotReadIsAProblemByName() {
        ObjectNode export = Json.MAPPER.createObjectNode();
        export.putObject("parameters").put("type", "object").putObject("properties").putObject("a").put("pattern",
                "^(?=x)x");
        applyCoder(1);
        code.publishers.getFirst().publish(new ToolDeclaration("sky__look", export), NOTHING);
        assertThat(registry.leftOut().get(WEATHER.namespace() + "/sky__look")).contains("'^(?=x)x'", "RE2");

        ObjectNode tool = TestResources.tool("t", PublishedToolsTest.class, "run");
        TestResources.export(tool, "run").setAll(export);
        topic.apply(registry, "other", tool);
        assertThat(registry.problems().get("other/t")).contains("'run'", "'^(?=x)x'", "RE2");
    }

    @Test
    void aPublishedModuleAnswersWhatIsAskedBesideCalls() throws Exception {
        applyCoder(1);
        code.publishers.getFirst().publish(declaration("sky__look"), new Sky("look"));
        declare(WEATHER, "sky__look");

        RegisteredTool tool = requireNonNull(registry.acquire(LOOK));
        assertThat(tool.handler()).isSameAs(NOTHING);
        assertThat(tool.module().poll("look", work())).isEqualTo(PollAnswer.completed("clear"));
        tool.release();
        assertThat(code.closed).as("the extension closes what it has made").hasValue(0);
    }

    @Test
    void aModuleWithoutTheDeclaredExportIsLeftOut() {
        applyCoder(1);
        code.publishers.getFirst().publish(declaration("sky__look"), new Sky("listen"));
        declare(WEATHER, "sky__look");

        assertThat(registry.leftOut().get(WEATHER.namespace() + "/sky__look")).contains("sky__look", "export 'look'");
        assertThat(registry.runs(LOOK)).isFalse();
    }

    /// Module of one export whose work is done at the first poll.
    private record Sky(String export) implements ToolModule {
        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of(export, NOTHING);
        }

        @Override
        public PollAnswer poll(String polled, PendingWork work) {
            return PollAnswer.completed("clear");
        }
    }

    private static PendingWork work() {
        return new PendingWork("h1", Json.MAPPER.createObjectNode(), null, "i1", "coder", "c1", Instant.EPOCH,
                Instant.EPOCH.plusSeconds(60));
    }

    @Test
    void toolsOfAServerHaveANamespaceOfTheirOwn() {
        applyCoder(1);
        RegistrationOwner github = WEATHER.server("github");
        code.publishers.get(1).publish(declaration("sky__look"), NOTHING);
        declare(github, "sky__look");

        assertThat(registry.runs(new ToolRef(github.namespace(), "sky", "look"))).isTrue();
        assertThat(registry.runs(LOOK)).isFalse();
    }

    @Test
    void whatCouldNotBeLoadedIsLoadedOnceItCan() {
        code.missing = true;
        topic.apply(registry, "other", TestResources.tool("t", PublishedToolsTest.class, "run"));
        assertThat(registry.isTroubled()).isTrue();
        registry.retry();
        assertThat(registry.problems()).containsOnlyKeys("other/t");

        code.missing = false;
        await().until(() -> {
            registry.retry();
            return !registry.isTroubled();
        });
        assertThat(registry.runs(new ToolRef("other", "t", "run"))).isTrue();
    }

    private void applyCoder(int version) {
        ObjectNode coder = TestResources.agent("coder");
        coder.withObject("spec").putArray("extensions").add("Extension/weather");
        ObjectNode weather = TestResources.extension("weather", PublishedToolsTest.class);
        weather.withObject("spec").putObject("config").put("version", version);
        topic.apply(registry, "acme", weather, coder);
    }

    private void publish(String name) {
        code.publishers.getFirst().publish(declaration(name), NOTHING);
    }

    private void declare(RegistrationOwner owner, String... tools) {
        Map<String, ToolDeclaration> declared = new HashMap<>();
        for (String tool : tools)
            declared.put(tool, declaration(tool));
        RegistrationPlan.of(new RegistrationPlan.Lease(owner, now, now.plusSeconds(30), "w9"),
                Optional.ofNullable(registry.resources().registrations().get(owner.namespace())), declared).entries()
                .forEach(entry -> registry.apply(entry.key(),
                        entry.value() == null ? null : Json.MAPPER.writeValueAsBytes(entry.value())));
    }

    private static ToolDeclaration declaration(String name) {
        return ToolDeclaration.of(name, "does it", Json.MAPPER.createObjectNode()).readOnly();
    }
}
