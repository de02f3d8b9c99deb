package dev.toolfleet.catalog.prompt;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import dev.toolfleet.bundle.PromptSectionSpec;
import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.json.Json;
import dev.toolfleet.session.prompt.Prompt;
import dev.toolfleet.session.prompt.PromptBuilder;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static org.assertj.core.api.Assertions.assertThat;

class AgentPromptTest {
    private final Bundles bundles = new Bundles();

    @Test
    void sectionsOfTheBundleStandByStabilityAndPriority() {
        ObjectNode coder = agent("coder");
        coder.withObject("/spec/prompt").put("system", "You build things.");
        bundles.apply("acme", coder, agent("other"),
                section("team-style", "Team style", "Write short answers.", spec -> spec.put("priority", 97)),
                section("today", "Today", "It is a release day.", spec -> spec.put("stability", "turn")),
                section("others", "Others", "Not for the coder.", spec -> spec.putArray("agents").add("other")));

        Prompt.Built prompt = built(8_000);

        assertThat(prompt.sections()).extracting(Prompt.Part::id).containsExactly("identity", "team-style", "tools",
                "today", "current-state");
        assertThat(prompt.text()).contains("You build things.").contains("Team style").contains("bash__exec")
                .doesNotContain("Not for the coder.");
        assertThat(prompt.text().substring(0, prompt.boundary())).contains("Write short answers.")
                .doesNotContain("release day");
    }

    @Test
    void sectionsThatReachTheFleetStandInEveryPromptAndTheOwnOneOfANameWins() {
        bundles.apply("acme", agent("coder"), section("rules", "Rules", "Own rules.", spec -> {}));
        bundles.apply("a-central", section("rules", "Rules", "Central rules.", spec -> spec.put("reach", "fleet")),
                section("law", "Law", "Keep the law.", spec -> spec.put("reach", "fleet")),
                section("inner", "Inner", "For the central bundle.", spec -> {}));

        assertThat(built(8_000).text()).contains("Own rules.").contains("Keep the law.")
                .doesNotContain("Central rules.").doesNotContain("For the central bundle.");
    }

    @Test
    void aBudgetShortensOrDropsOptionalSectionsAndNamesThem() {
        bundles.apply("acme", agent("coder"),
                section("long", "Long", "word ".repeat(2_000), spec -> spec.put("priority", 1)));

        assertThat(built(500).shortened()).containsExactly("long");
        assertThat(built(60).dropped()).contains("long");
        bundles.apply("acme", agent("coder"),
                section("long", "Long", "word ".repeat(2_000), spec -> spec.put("required", true)));
        assertThat(prompt(500)).isInstanceOf(Prompt.TooLarge.class);
    }

    @Test
    void namesOfSectionsAreThoseOfTheBuilder() {
        assertThat(PromptBuilder.standard(TokenCounter.STANDARD).ids())
                .containsExactlyInAnyOrderElementsOf(PromptSectionSpec.BUILT_IN);
    }

    private Prompt.Built built(long maxTokens) {
        return (Prompt.Built) prompt(maxTokens);
    }

    private Prompt prompt(long maxTokens) {
        ToolCatalogItem bash = new ToolCatalogItem("bash__exec", "Runs a command", Json.MAPPER.createObjectNode(),
                new ToolSource("config", "bash"), new ToolRef("acme", "bash", "exec"), null, null);
        return AgentPrompt.of(bundles.view(), "coder", List.of(bash), Prompt.Mode.FULL, maxTokens, Instant.EPOCH);
    }

    private static ObjectNode section(String name, String title, String text,
            Consumer<ObjectNode> change) {
        ObjectNode section = Json.MAPPER.createObjectNode().put("apiVersion", "toolfleet.dev/v1").put("kind",
                "PromptSection");
        section.putObject("metadata").put("name", name);
        change.accept(section.putObject("spec").put("title", title).put("text", text));
        return section;
    }
}
