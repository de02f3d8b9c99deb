package dev.toolfleet.catalog.assemble;

import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;

/// Cache of the contents of recent steps. A list is tens of kilobytes; it is written out and hashed once, not once per
/// step. Lists are compared by the identity of their items, which stay the same objects while the resources do. For one
/// thread.
final class CatalogContents {
    /// The most characters of kept contents: those of a hundred typical agents.
    static final int MAX_CHARACTERS = 4_000_000;
    private static final int MAX_ITEMS = 10_000;

    private final Map<Items, CatalogContent> byItems = new LinkedHashMap<>(16, 0.75f, true);
    private final IdentityHashMap<ToolCatalogItem, String> json = new IdentityHashMap<>();
    private long characters;

    /// Key of a list by the identity of its items.
    private record Items(List<ToolCatalogItem> items) {
        @Override
        @SuppressWarnings("ReferenceEquality") // Comparing schemas at each step would cost more than all the rest.
        public boolean equals(Object other) {
            if (!(other instanceof Items(List<ToolCatalogItem> others)) || others.size() != items.size())
                return false;
            for (int i = 0; i < items.size(); i++) {
                if (items.get(i) != others.get(i))
                    return false;
            }
            return true;
        }

        @Override
        public int hashCode() {
            int hash = 1;
            for (ToolCatalogItem item : items)
                hash = 31 * hash + System.identityHashCode(item);
            return hash;
        }
    }

    CatalogContent of(List<ToolCatalogItem> list) {
        Items items = new Items(list);
        CatalogContent content = byItems.get(items);
        if (content == null) {
            content = CatalogContent.of(write(list));
            byItems.put(items, content);
            characters += content.json().length();
            forgetOldest();
        }
        return content;
    }

    void forget() {
        byItems.clear();
        json.clear();
        characters = 0;
    }

    /// Writes a list: canonical JSON of a list is that of its items, with commas between them.
    private String write(List<ToolCatalogItem> list) {
        if (json.size() > MAX_ITEMS)
            json.clear();
        StringJoiner array = new StringJoiner(",", "[", "]");
        for (ToolCatalogItem item : list)
            array.add(json.computeIfAbsent(item, made -> CanonicalJson.of(Json.MAPPER.valueToTree(made))));
        return array.toString();
    }

    /// Drops the oldest contents. The newest stays, however large it is.
    private void forgetOldest() {
        Iterator<CatalogContent> oldest = byItems.values().iterator();
        while (characters > MAX_CHARACTERS && byItems.size() > 1) {
            characters -= oldest.next().json().length();
            oldest.remove();
        }
    }
}
