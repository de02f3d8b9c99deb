package dev.toolfleet.resources;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.wire.McpSource;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.resources.Declarations.agent;
import static dev.toolfleet.resources.Declarations.apply;
import static dev.toolfleet.resources.Declarations.plan;
import static dev.toolfleet.resources.Declarations.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class RegisteredItemsTest {
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");
    private static final RegistrationOwner WEATHER = RegistrationOwner.extension("acme", "coder", "weather");
    private static final RegistrationOwner SEA = RegistrationOwner.extension("acme", "coder", "sea");
    private static final RegistrationOwner FLEET = new RegistrationOwner("extension", "", "", "common", "");

    private final ResourceTable table = new ResourceTable();

    @Test
    void anAgentSeesWhatItsExtensionsAndTheFleetsRegistered() {
        apply(table, plan(table, "acme", tool("a", "x"), listing("coder", "sea", "weather"), listing("writer")));
        register(WEATHER, "sky__look");
        register(SEA, "tide__next", "tide__last");
        register(FLEET, "common__now");
        register(WEATHER.server("github"), "github__issue");
        register(RegistrationOwner.extension("other", "coder", "weather"), "other__look");

        assertThat(names("coder")).containsExactly("a__x", "tide__last", "tide__next", "sky__look", "common__now",
                "github__issue");
        assertThat(names("writer")).containsExactly("a__x", "common__now");
        assertThat(AgentTools.items(table.view(), "coder").get(3)).satisfies(item -> {
            assertThat(item.source()).isEqualTo(new ToolSource("extension", "weather"));
            assertThat(item.tool()).isEqualTo(new ToolRef(WEATHER.namespace(), "sky", "look"));
        });
    }

    // The name is the server's alone. Otherwise: a catalog does not show the extension through which a tool goes.
    @Test
    void aToolOfAnMcpServerNamesItsExtensionToo() {
        apply(table, plan(table, "acme", tool("a", "x"), listing("coder", "weather")));
        register(WEATHER.server("github"), "github__issue");

        assertThat(AgentTools.items(table.view(), "coder").getLast().source())
                .isEqualTo(new ToolSource("mcp", "github", new McpSource("weather", "github")));
    }

    @Test
    void anExtensionThatTheAgentNoLongerListsShowsItNothing() {
        apply(table, plan(table, "acme", tool("a", "x"), listing("coder", "weather")));
        register(WEATHER, "sky__look");
        apply(table, plan(table, "acme", tool("a", "x"), listing("coder")));

        assertThat(names("coder")).containsExactly("a__x");
    }

    @Test
    void aNameBelongsToConfigThenExtensionThenMcp() {
        apply(table, plan(table, "acme", tool("a", "x"), listing("coder", "weather", "sea")));
        register(WEATHER.server("github"), "sky__look", "a__x");
        register(SEA, "sky__look", "tide__next");
        register(WEATHER, "sky__look", "a__x");

        AgentTools tools = AgentTools.of(table.view(), "coder");

        assertThat(tools.items()).extracting(ToolCatalogItem::name, item -> item.source().name())
                .containsExactly(tuple("a__x", "a"),
                        tuple("sky__look", "weather"),
                        tuple("tide__next", "sea"));
        assertThat(tools.problems()).containsExactly(
                "extension weather claims the name a__x, which belongs to config a; its claim is refused, rename one of the two",
                "extension sea claims the name sky__look, which belongs to extension weather; its claim is refused, rename one of the two",
                "mcp github claims the name a__x, which belongs to config a; its claim is refused, rename one of the two",
                "mcp github claims the name sky__look, which belongs to extension weather; its claim is refused, rename one of the two");
    }

    @Test
    void aRegistrationThatLapsedIsNotAmongThoseThatLive() {
        apply(table, plan(table, "acme", tool("a", "x"), listing("coder", "weather")));
        register(WEATHER, "sky__look");

        assertThat(AgentTools.items(table.view().live(NOON.plusSeconds(60)), "coder"))
                .extracting(ToolCatalogItem::name).containsExactly("a__x");
    }

    private List<String> names(String agent) {
        return AgentTools.items(table.view(), agent).stream().map(ToolCatalogItem::name).toList();
    }

    private void register(RegistrationOwner owner, String... tools) {
        RegistrationPlanTest.registered(table, owner, NOON, tools).entries()
                .forEach(entry -> table.apply(entry.key(), entry.value()));
    }

    private static ObjectNode listing(String name, String... extensions) {
        ObjectNode agent = agent(name, "Tool/a");
        for (String extension : extensions)
            agent.withObject("spec").withArray("extensions").add("Extension/" + extension);
        return agent;
    }
}
