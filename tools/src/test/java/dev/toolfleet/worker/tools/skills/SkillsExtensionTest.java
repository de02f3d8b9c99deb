package dev.toolfleet.worker.tools.skills;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import dev.toolfleet.bundle.SkillSpec;
import dev.toolfleet.bundle.SkillVersion;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolCallMiddleware;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.middleware.ToolPublisher;
import dev.toolfleet.resources.AgentSkills;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SkillsExtensionTest {
    private final ObjectNode config = Json.MAPPER.createObjectNode();
    private final List<AgentSkills.Declared> skills = new ArrayList<>();
    private final List<ToolCatalogItem> tools = new ArrayList<>();
    private final Set<String> env = new HashSet<>();

    @Test
    void aSkillIsListedAndOpened() throws Exception {
        tools.add(tool("t__a", null));
        add(skill("release", List.of("t__a"), needs()));

        JsonNode list = list("");
        assertThat(list.at("/skills/0").toString()).isEqualTo(
                "{\"name\":\"release\",\"description\":\"Does release\",\"version\":\"1.0.0\",\"ready\":true}");
        JsonNode opened = open("release");
        assertThat(opened.path("body").asString()).isEqualTo("Do release.");
        assertThat(opened.path("tools").toString()).isEqualTo("[\"t__a\"]");
        assertThat(opened.has("withheld")).isFalse();
    }

    @Test
    @DisplayName("SKL-06: without its environment variable a skill is listed with the reason and cannot be opened")
    void aMissingVariableIsTheReason() throws Exception {
        add(skill("release", List.of(), new SkillSpec.Needs(List.of("TOKEN"), List.of(), List.of(), List.of())));

        assertThat(list("").at("/skills/0/ready").asBoolean()).isFalse();
        assertThat(list("").at("/skills/0/reason").asString()).contains("TOKEN is not set");
        assertThatThrownBy(() -> open("release")).hasMessageContaining("not ready").hasMessageContaining("TOKEN");

        env.add("TOKEN");
        assertThat(list("").at("/skills/0/ready").asBoolean()).isTrue();
        assertThat(open("release").path("name").asString()).isEqualTo("release");
    }

    @Test
    void missingToolsGroupsAndSkillsAreReasons() throws Exception {
        add(skill("a", List.of(), new SkillSpec.Needs(List.of(), List.of("t__a"), List.of(), List.of())));
        add(skill("b", List.of(), new SkillSpec.Needs(List.of(), List.of(), List.of("web"), List.of())));
        add(skill("c", List.of(), new SkillSpec.Needs(List.of(), List.of(), List.of(), List.of("a", "gone"))));
        add(skill("d", List.of("t__d"), needs()));

        assertThat(reasons()).containsExactly("it requires the tool t__a, which the agent does not have",
                "it requires a tool of the group web, and the agent has none",
                "it requires the skill a: it requires the tool t__a, which the agent does not have",
                "the agent does not have its tool t__d");

        tools.addAll(List.of(tool("t__a", "web"), tool("t__d", null)));
        assertThat(reasons()).containsExactly("", "", "it requires the skill gone: the agent does not have it", "");
    }

    @Test
    void skillsOfSeveralBundlesThatRequireEachOtherEnd() throws Exception {
        add(skill("a", List.of(), new SkillSpec.Needs(List.of(), List.of(), List.of(), List.of("b"))));
        add(skill("b", List.of(), new SkillSpec.Needs(List.of(), List.of(), List.of(), List.of("a"))));

        assertThat(reasons()).allSatisfy(reason -> assertThat(reason).contains("require each other"));
    }

    @Test
    @DisplayName("SKL-13: a list over its budget is compact first, then omits skills and names them, own ones last")
    void aLongListIsShortened() throws Exception {
        IntStream.range(0, 20).forEach(i -> add(skill("own-" + i, List.of(), needs())));
        IntStream.range(0, 20).forEach(i -> skills.add(new AgentSkills.Declared("@acme/base", false,
                skill("base-" + i, List.of(), needs()))));

        config.put("maxListCharacters", 2_000);
        JsonNode compact = list("");
        assertThat(compact.path("skills").size()).isEqualTo(40);
        assertThat(compact.at("/skills/0").toString()).isEqualTo("{\"name\":\"own-0\",\"ready\":true}");
        assertThat(compact.has("omitted")).isFalse();

        config.put("maxListCharacters", 900);
        JsonNode shortened = list("");
        assertThat(shortened.path("skills").toString().length()).isBetween(700, 900);
        assertThat(shortened.at("/skills/19/name").asString()).isEqualTo("own-19");
        assertThat(shortened.path("omitted").values()).hasSize(40 - shortened.path("skills").size())
                .last().extracting(JsonNode::asString).isEqualTo("base-19");
        assertThat(list("base-19").at("/skills/0/description").asString()).isEqualTo("Does base-19");
    }

    @Test
    @DisplayName("SKL-15: a skill or tool for a stronger model is withheld with the reason; an unknown tier is an error")
    void tiersWithholdWhatNeedsAStrongerModel() throws Exception {
        tools.addAll(List.of(tool("t__a", null), tool("t__b", null)));
        add(new SkillSpec("mixed", SkillVersion.NONE, "M", List.of(new SkillSpec.Tool("t__a", Optional.of("small")),
                new SkillSpec.Tool("t__b", Optional.of("large"))), needs(), Optional.empty(), "Do."));
        add(new SkillSpec("hard", SkillVersion.NONE, "H", List.of(), needs(), Optional.of("large"), "Do."));
        add(new SkillSpec("odd", SkillVersion.NONE, "O", List.of(), needs(), Optional.of("giant"), "Do."));

        assertThat(reasons()).containsExactly("", "", "its minimumTier 'giant' is none of [small, medium, large]");
        config.put("modelTier", "medium");
        assertThat(reasons().get(1)).isEqualTo("it needs a model of tier large, and this one is medium");
        assertThat(open("mixed").path("tools").toString()).isEqualTo("[\"t__a\"]");
        assertThat(open("mixed").at("/withheld/0").toString()).contains("t__b").contains("needs a model of tier large");

        config.put("modelTier", "giant");
        assertThatThrownBy(this::published).hasMessageContaining("spec.config.modelTier must be one of")
                .hasMessageContaining("giant");
    }

    @Test
    @DisplayName("SKL-16: an empty list of skills is none, an absent one is all")
    void theAgentsListAdmitsSkills() throws Exception {
        add(skill("a", List.of(), needs()));
        add(skill("b", List.of(), needs()));

        assertThat(list("").path("skills").size()).isEqualTo(2);
        config.putArray("include").add("b");
        assertThat(list("").at("/skills/0/name").asString()).isEqualTo("b");
        assertThatThrownBy(() -> open("a")).hasMessageContaining("no skill 'a'");
        config.putArray("include");
        assertThat(list("").path("skills").size()).isZero();
        assertThat(list("").path("message").asString()).contains("no skills for you");
        config.remove("include");
        config.putArray("exclude").add("b");
        assertThat(list("").at("/skills/0/name").asString()).isEqualTo("a");
    }

    @Test
    void aNameThatIsAlmostRightIsSuggested() {
        add(skill("release", List.of(), needs()));

        assertThatThrownBy(() -> open("relase")).isInstanceOfSatisfying(ToolException.class,
                e -> assertThat(e.suggestion()).contains("release"));
    }

    @Test
    void aWrongSettingIsNamed() {
        config.put("includes", true);
        assertThatThrownBy(this::published).hasMessageContaining("spec.config.includes is not a setting");
        config.removeAll();
        config.put("include", "a");
        assertThatThrownBy(this::published).hasMessageContaining("spec.config.include must be a list of names");
        config.removeAll();
        config.put("maxListCharacters", 10);
        assertThatThrownBy(this::published).hasMessageContaining("must be a whole number from 200");
    }

    private List<String> reasons() throws Exception {
        return list("").path("skills").values().stream().map(skill -> skill.path("reason").asString("")).toList();
    }

    private JsonNode list(String query) throws Exception {
        ObjectNode input = Json.MAPPER.createObjectNode();
        return call("skills__list", query.isEmpty() ? input : input.put("query", query));
    }

    private JsonNode open(String name) throws Exception {
        return call("skills__open", Json.MAPPER.createObjectNode().put("name", name));
    }

    private JsonNode call(String tool, ObjectNode input) throws Exception {
        try (FakeToolContext ctx = FakeToolContext.create()) {
            ToolOutput output = requireNonNull(requireNonNull(published().get(tool)).handle(ctx, input));
            return Json.MAPPER.valueToTree(((ToolOutput.Value) output).value());
        }
    }

    private Map<String, ToolHandler> published() {
        Map<String, ToolHandler> handlers = new HashMap<>();
        new SkillsExtension((agent, caller) -> new Shelf(skills, tools), env::contains)
                .register(new Registrar(handlers), config);
        return handlers;
    }

    private void add(SkillSpec skill) {
        skills.add(new AgentSkills.Declared("acme", true, skill));
    }

    private static SkillSpec skill(String name, List<String> tools, SkillSpec.Needs needs) {
        return new SkillSpec(name, new SkillVersion("1.0.0"), "Does " + name,
                tools.stream().map(tool -> new SkillSpec.Tool(tool, Optional.empty())).toList(), needs,
                Optional.empty(), "Do " + name + ".");
    }

    private static SkillSpec.Needs needs() {
        return new SkillSpec.Needs(List.of(), List.of(), List.of(), List.of());
    }

    private static ToolCatalogItem tool(String name, @Nullable String group) {
        return new ToolCatalogItem(name, null, Json.MAPPER.createObjectNode(), new ToolSource("config", name),
                new ToolRef("acme", name, "x"), group, null);
    }

    private record Registrar(Map<String, ToolHandler> handlers) implements ExtensionRegistrar, ToolPublisher {
        @Override
        public void toolCall(int priority, ToolCallMiddleware middleware) {
            throw new AssertionError();
        }

        @Override
        public boolean runsTools() {
            return true;
        }

        @Override
        public ToolPublisher tools() {
            return this;
        }

        @Override
        public void publish(ToolDeclaration declaration, ToolHandler handler) {
            handlers.put(declaration.name(), handler);
        }

        @Override
        public void publish(ToolDeclaration declaration, ToolModule module) {
            throw new AssertionError();
        }

        @Override
        public void remove(String name) {
            throw new AssertionError();
        }
    }
}
