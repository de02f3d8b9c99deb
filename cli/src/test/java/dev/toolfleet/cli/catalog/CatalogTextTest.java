package dev.toolfleet.cli.catalog;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CatalogTextTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private final CatalogText text = new CatalogText(new View(new Style(false), 90, NOW));

    @Test
    void aCatalogNamesStepRevisionDigestAgeAndTools() {
        assertThat(text.catalog(step("@acme/builds", 7), List.of(item("bash__exec", "Runs\na command", "system"),
                item("slack.post", null, null)))).containsExactly(
                        "Agent     coder of instance telegram:123",
                        "Step      s-2 of turn t-9, index 2",
                        "Age       3 min, published 2026-11-22T09:57:00Z",
                        "Revision  7 of @acme/builds, 12 of @acme/tools, 3 of @toolfleet/base",
                        "Digest    sha256:abc",
                        "name        group   source       description",
                        "─".repeat(47),
                        "bash__exec  system  config bash  Runs⏎a command",
                        "slack.post  –       config bash");
    }

    @Test
    void anAgentThatNobodyDeclaresAndAContentThatIsGoneAreSaid() {
        List<String> lines = text.catalog(step("", 0), null);

        assertThat(String.join("\n", lines)).contains("no bundle declares this Agent")
                .contains("not on tool.catalog.content any more");
    }

    private static StepCatalog step(String bundle, long revision) {
        return new StepCatalog("telegram:123", "coder", "t-9", "s-2", 2, "sha256:abc", null, bundle, revision,
                bundle.isEmpty() ? null : Map.of("@toolfleet/base", 3L, "@acme/tools", 12L), NOW.minusSeconds(180),
                false, List.of());
    }

    private static ToolCatalogItem item(String name, @Nullable String description,
            @Nullable String group) {
        return new ToolCatalogItem(name, description, Json.MAPPER.createObjectNode(),
                new ToolSource(ToolSource.CONFIG, "bash"), new ToolRef("@toolfleet/base", "bash", "exec"), group);
    }
}
