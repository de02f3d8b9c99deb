package dev.toolfleet.bundle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.ValidationLimitExceededException;
import com.networknt.schema.path.NodePath;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON Schema of values: the whole dialect (2020-12 unless the schema names another), without coercion.
///
/// **Contract.** It never fetches a remote schema. A check has a number of steps that grows with the value; a value that
/// needs more does not fit. Two are equal if their schemas are.
///
/// **Threads.** Thread-safe. The first check compiles it.
///
/// **Why.** A schema with nested alternatives that refer to themselves takes time and memory that double with each level
/// of the value. Otherwise: one small value holds a processor until the process ends, or takes its heap.
public final class ValueSchema {
    /// The keywords that one check may apply to any value, and for each value inside it. Each that fails costs some 600
    /// bytes until the check ends, because the library keeps the errors of alternatives. Otherwise: a small value and a
    /// schema of nested alternatives fill the heap.
    private static final long STEPS = 100_000;
    private static final long STEPS_EACH = 20;
    private static final long MAX_STEPS = 10_000_000;
    /// The values inside a value beyond which its check ends with the first issue.
    private static final int MANY = 10_000;
    /// The most issues that are listed.
    private static final int SHOWN = 5;
    private static final String NOT_VALID = "the tool's own schema is not valid: ";
    private static final String ENDLESS = "it refers to itself without end";
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemaRegistryConfig(
                    SchemaRegistryConfig.builder().regularExpressionFactory(SchemaPatterns.RE2).build()));

    private final ObjectNode schema;
    private volatile @Nullable Compiled compiled;

    /// @param schema null if it cannot be compiled
    /// @param defect the reason then
    private record Compiled(@Nullable Schema schema, String defect) {
        static Compiled of(ObjectNode text) {
            try {
                Schema schema = REGISTRY.getSchema(text);
                schema.initializeValidators();
                return new Compiled(schema, "");
            } catch (SchemaException | IllegalArgumentException e) {
                return new Compiled(null, String.valueOf(e.getMessage()));
            } catch (StackOverflowError e) {
                return new Compiled(null, ENDLESS);
            }
        }
    }

    /// Compiles nothing yet.
    ///
    /// @param schema must not be changed
    public ValueSchema(ObjectNode schema) {
        this.schema = schema;
    }

    /// Returns the schema as declared; must not be changed.
    public ObjectNode schema() {
        return schema;
    }

    /// Returns the reasons why a value does not fit, each with its place: at most five, and the number of the others. Of a
    /// value with more than 10,000 values inside it, only the first reason is looked for. Empty if it fits. A schema that
    /// cannot be used is a reason, too.
    ///
    /// @param name of the value, with which every place begins
    public List<String> issues(String name, JsonNode value) {
        Compiled usable = compiled();
        Schema by = usable.schema();
        if (by == null)
            return List.of(NOT_VALID + usable.defect());
        long size = size(value);
        long steps = Math.min(MAX_STEPS, STEPS + STEPS_EACH * size);
        try {
            List<Error> found = by.validate(value,
                    context -> context.executionConfig(config -> config.locale(Locale.ENGLISH)
                            .formatAssertionsEnabled(false).failFast(size > MANY).maxEvaluationSteps(steps)));
            return shown(name, found);
        } catch (ValidationLimitExceededException e) {
            return List.of(name + ": its check takes more than " + steps
                    + " steps; the schema has to be simpler, or the value smaller");
        } catch (SchemaException e) {
            return List.of(NOT_VALID + e.getMessage());
        } catch (StackOverflowError e) {
            return List.of(NOT_VALID + ENDLESS);
        }
    }

    /// Returns the number of values inside a value, itself included.
    private static long size(JsonNode value) {
        long size = 1;
        for (JsonNode inside : value)
            size += size(inside);
        return size;
    }

    private Compiled compiled() {
        Compiled known = compiled;
        if (known == null) {
            known = Compiled.of(schema);
            compiled = known;
        }
        return known;
    }

    private static List<String> shown(String name, List<Error> found) {
        List<String> shown = new ArrayList<>();
        for (Error error : found.subList(0, Math.min(SHOWN, found.size())))
            shown.add(place(name, error.getInstanceLocation()) + ": " + error.getMessage());
        if (found.size() > SHOWN)
            shown.add("+" + (found.size() - SHOWN) + " more");
        return shown;
    }

    private static String place(String name, @Nullable NodePath location) {
        StringBuilder place = new StringBuilder(name);
        for (int i = 0; location != null && i < location.getNameCount(); i++) {
            Object element = location.getElement(i);
            if (element instanceof Integer) {
                place.append('[').append(element).append(']');
            } else {
                place.append('.').append(element);
            }
        }
        return place.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ValueSchema that && schema.equals(that.schema);
    }

    @Override
    public int hashCode() {
        return schema.hashCode();
    }

    @Override
    public String toString() {
        return schema.toString();
    }
}
