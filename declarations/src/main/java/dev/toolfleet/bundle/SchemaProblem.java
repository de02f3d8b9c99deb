package dev.toolfleet.bundle;

import java.util.Optional;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import tools.jackson.databind.JsonNode;

/// Reason why a JSON Schema cannot check values: a pattern that RE2 cannot read, a reference that leads nowhere, or
/// an unknown dialect.
public final class SchemaProblem {
    private static final SchemaRegistryConfig CONFIG = SchemaRegistryConfig.builder()
            .regularExpressionFactory(SchemaPatterns.RE2).build();

    private SchemaProblem() {}

    /// Compiles a schema, and drops the result.
    ///
    /// @return its problem, with a hint; empty when it is usable
    public static Optional<String> of(JsonNode schema) {
        try {
            Schema compiled = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
                    builder -> builder.schemaRegistryConfig(CONFIG)).getSchema(schema);
            compiled.initializeValidators();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of("it cannot be used as a JSON Schema: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName()) + ". "
                    + SchemaPatterns.HINT);
        } catch (StackOverflowError e) {
            return Optional.of("it cannot be used as a JSON Schema: it refers to itself without end");
        }
    }
}
