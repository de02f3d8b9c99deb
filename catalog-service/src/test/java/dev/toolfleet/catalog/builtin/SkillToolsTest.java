package dev.toolfleet.catalog.builtin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.catalog.Steps;
import dev.toolfleet.catalog.assemble.AgentCatalog;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.StepMemory;
import dev.toolfleet.middleware.ToolCallMiddleware;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.group;
import static dev.toolfleet.catalog.Bundles.inGroup;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class SkillToolsTest {
    private static final String OPEN = "skills__open";

    private final ObjectNode config = Json.MAPPER.createObjectNode();
    private final Steps steps = new Steps().code("Inner", (registrar, json) -> {});
    private @Nullable JsonNode memory;

    @Test
    void toolsOfASkillAreHiddenUntilItIsOpen() {
        assertThat(names()).containsExactly("t__free");

        open("deploy");
        assertThat(names()).containsExactly("t__free", "t__deploy", "d__watch");
        open("mail");
        assertThat(names()).containsExactly("t__free", "t__deploy", "t__mail", "d__watch");
    }

    @Test
    void aSkillThatIsNotAdmittedStaysClosed() {
        config.putArray("exclude").add("deploy");
        open("deploy");

        assertThat(names()).containsExactly("t__free");
    }

    @Test
    @DisplayName("SKL-15: a tool for a stronger model than the step's is hidden, also when the tier is unknown")
    void theTierOfTheStepHidesTools() {
        open("mail");
        assertThat(names()).containsExactly("t__free", "t__mail");

        config.put("modelTier", "small");
        assertThat(names()).containsExactly("t__free");
        steps.hints(Json.MAPPER.createObjectNode().put("modelTier", "large"));
        assertThat(names()).containsExactly("t__free", "t__mail");
        steps.hints(Json.MAPPER.createObjectNode().put("modelTier", "unheard-of"));
        assertThat(names()).containsExactly("t__free");
    }

    @Test
    @DisplayName("SKL-14, X-06: the catalog of a step stays as it was published while the skill changes, and the next has another digest")
    void aPublishedCatalogKeepsTheToolsOfItsRevision() {
        open("deploy");
        names();
        AgentCatalog first = steps.step();

        apply(skill("deploy", "t__deploy"));

        assertThat(first.content().json()).contains("d__watch");
        assertThat(steps.step().digest()).isNotEqualTo(first.digest());
        assertThat(steps.names()).containsExactly("t__free", "t__deploy", "t__mail");
    }

    @Test
    void innerLayersCannotShowWhatIsClosed() {
        steps.layer("Inner", 5, (ctx, next) -> {
            next.proceed();
            ctx.known("t__mail").ifPresent(ctx::add);
        });
        assertThat(names()).containsExactly("t__free");
    }

    private List<String> names() {
        apply(skill("deploy", "t__deploy", "d__watch"), mail());
        return steps.names();
    }

    private void apply(ObjectNode... skills) {
        ObjectNode agent = using(agent("coder", "Tool/t", "Tool/d"), "skills", own -> own.setAll(config));
        using(agent, "inner", own -> {});
        List<ObjectNode> all = new ArrayList<>(List.of(tool("t", "free", "deploy", "mail"),
                inGroup("asked", tool("d", "watch")), group("asked", "on-demand"), agent,
                extension("skills", "builtin:skills"), extension("inner", "java:Inner")));
        all.addAll(List.of(skills));
        JsonNode remembered = memory;
        if (remembered != null)
            steps.remember("skills", OPEN, remembered);
        steps.apply(all.toArray(ObjectNode[]::new));
    }

    private void open(String name) {
        Map<String, StepMemory> memories = new HashMap<>();
        new SkillTools().register(new ExtensionRegistrar() {
            @Override
            public void toolCall(int priority, ToolCallMiddleware middleware) {
                throw new AssertionError();
            }

            @Override
            public void remember(String toolName, StepMemory code) {
                memories.put(toolName, code);
            }
        }, config);
        JsonNode after = requireNonNull(memories.get(OPEN)).after(memory, new ToolResult("c", OPEN, ResultStatus.OK,
                Json.MAPPER.createObjectNode().put("name", name), null, null, "i", "coder", "t1", "s1", 1, false, null,
                0, null, null));
        memory = requireNonNull(after);
    }

    private static ObjectNode mail() {
        ObjectNode mail = skill("mail");
        ((ArrayNode) mail.at("/spec/tools")).addObject().put("name", "t__mail").put("minimumTier", "medium");
        return mail;
    }

    private static ObjectNode skill(String name, String... tools) {
        ObjectNode skill = Json.MAPPER.createObjectNode().put("apiVersion", "toolfleet.dev/v1").put("kind", "Skill");
        skill.putObject("metadata").put("name", name);
        ArrayNode list = skill.putObject("spec").put("description", "Does " + name).put("body", "Do it.")
                .putArray("tools");
        for (String tool : tools)
            list.add(tool);
        return skill;
    }
}
