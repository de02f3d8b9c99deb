package dev.toolfleet.client.format;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ArrayNode;

import static java.util.Objects.requireNonNull;

/// Rules of a provider for tools, by the schemas in `provider-rules`.
final class ProviderRules {
    private final Schema schema;

    private ProviderRules(Schema schema) {
        this.schema = schema;
    }

    static ProviderRules of(CatalogFormat format) {
        String name = "/provider-rules/" + format.wireName() + ".json";
        try (InputStream file = requireNonNull(ProviderRules.class.getResourceAsStream(name), name)) {
            return new ProviderRules(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(Json.MAPPER.readTree(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the provider's reasons for an answer with 400; empty for none.
    List<String> refusals(ArrayNode tools) {
        return schema.validate(tools).stream().map(Error::toString).toList();
    }
}
