package dev.toolfleet.bundle;

import java.util.Optional;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import tools.jackson.databind.JsonNode;

/// The reason why a JSON Schema cannot be used to check arguments: a pattern that RE2 cannot read, a reference that leads
/// nowhere, a dialect that nobody knows.
public final class SchemaProblem {
    private static final SchemaRegistryConfig CONFIG = SchemaRegistryConfig.builder()
            .regularExpressionFactory(SchemaPatterns.RE2).build();

    private SchemaProblem() {}

    /// Compiles a schema, and forgets it.
    ///
    /// @return what is wrong with it, with a hint; empty when it can be used
    public static Optional<String> of(JsonNode schema) {
        try {
            Schema compiled = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
                    builder -> builder.schemaRegistryConfig(CONFIG)).getSchema(schema);
            compiled.initializeValidators();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of("they cannot be used as a JSON Schema: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName()) + ". "
                    + SchemaPatterns.HINT);
        } catch (StackOverflowError e) {
            return Optional.of("they cannot be used as a JSON Schema: it refers to itself without end");
        }
    }
}
