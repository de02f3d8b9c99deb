package dev.toolfleet.catalog.assemble;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CatalogContentsTest {
    private final CatalogContents contents = new CatalogContents();

    @Test
    void theContentOfAListIsMadeOncePerOrderOfItems() {
        ToolCatalogItem a = item("a");
        ToolCatalogItem b = item("b");

        CatalogContent ab = contents.of(List.of(a, b));
        assertThat(contents.of(new ArrayList<>(List.of(a, b)))).isSameAs(ab);
        assertThat(contents.of(List.of(b, a))).isNotEqualTo(ab);
        assertThat(contents.of(List.of(a))).isNotEqualTo(ab);
        assertThat(contents.of(List.of(item("a"), b))).isEqualTo(ab).isNotSameAs(ab);
        assertThat(ab.json()).isEqualTo(CanonicalJson.of(Json.MAPPER.valueToTree(List.of(a, b))));
        assertThat(contents.of(List.of()).json()).isEqualTo("[]");
    }

    @Test
    void whatIsKeptIsBounded() {
        List<ToolCatalogItem> large = List.of(item("x".repeat(CatalogContents.MAX_CHARACTERS / 3)));
        CatalogContent first = contents.of(large);
        assertThat(contents.of(large)).isSameAs(first);
        for (int i = 0; i < 4; i++)
            contents.of(List.of(item(i + "x".repeat(CatalogContents.MAX_CHARACTERS / 3))));

        assertThat(contents.of(large)).isEqualTo(first).isNotSameAs(first);
    }

    private static ToolCatalogItem item(String name) {
        return new ToolCatalogItem(name, null, Json.MAPPER.createObjectNode(), new ToolSource(ToolSource.CONFIG, "t"),
                new ToolRef("b", "t", "e"), null);
    }
}
