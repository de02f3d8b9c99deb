package dev.toolfleet.worker.catalog;

import java.util.Objects;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.state.ChangeSignal;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CatalogContentViewTest {
    private static final String DIGEST = "sha256:a";

    private final CatalogContentView contents = new CatalogContentView(new ChangeSignal());

    @Test
    void aCallThatHasItsToolKeepsItWhenTheContentIsRemoved() {
        contents.apply(0, DIGEST, content(), 0);
        CatalogTools held = Objects.requireNonNull(contents.get(DIGEST));

        contents.apply(0, DIGEST, null, 0);

        assertThat(contents.get(DIGEST)).isNull();
        assertThat(held.tool("bash__exec")).isNotNull();
    }

    @Test
    void aContentThatWasRemovedComesBackWhenItIsWrittenAgain() {
        contents.apply(0, DIGEST, content(), 0);
        contents.apply(0, DIGEST, null, 0);
        contents.apply(0, DIGEST, null, 0);
        contents.apply(0, "sha256:other", null, 0);
        contents.apply(0, DIGEST, content(), 0);

        assertThat(Objects.requireNonNull(contents.get(DIGEST)).tool("bash__exec")).isNotNull();
        assertThat(contents.get("sha256:other")).isNull();
    }

    private static byte[] content() {
        ResourceTable table = new ResourceTable();
        new TestResources().plan("acme", TestResources.tool("bash", CatalogContentViewTest.class, "exec"),
                TestResources.agent("coder", "Tool/bash")).forEach(entry -> table.apply(entry.key(), entry.value()));
        return Json.MAPPER.writeValueAsBytes(AgentTools.items(table.view(), "coder"));
    }
}
