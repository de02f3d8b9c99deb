package dev.toolfleet.bundle;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.json.Json.MAPPER;
import static org.assertj.core.api.Assertions.assertThat;

class ValueSchemaTest {

    @Test
    void aValueThatFitsHasNoIssues() {
        assertThat(schema("{'type':'array','items':{'type':'integer'}}").issues("output", json("[1,2]"))).isEmpty();
        assertThat(schema("{}").issues("output", json("null"))).isEmpty();
    }

    @Test
    void anIssueNamesThePlaceBelowTheGivenName() {
        assertThat(schema("{'items':{'properties':{'id':{'type':'integer'}}}}").issues("output", json("[{'id':'x'}]")))
                .singleElement().asString().startsWith("output[0].id: ").contains("integer");
    }

    // Each level of the value doubles the work, because both alternatives are tried.
    @Test
    void aSchemaWhoseWorkDoublesWithEachLevelIsStopped() {
        ValueSchema doubling = schema("{'anyOf':[{'properties':{'a':{'$ref':'#'}},'required':['none']},"
                + "{'properties':{'a':{'$ref':'#'}},'required':['never']}]}");
        ObjectNode deep = MAPPER.createObjectNode();
        for (int level = 0; level < 60; level++) {
            ObjectNode outer = MAPPER.createObjectNode();
            outer.set("a", deep);
            deep = outer;
        }

        assertThat(doubling.issues("output", deep)).singleElement().asString()
                .contains("more than 101220 steps");
    }

    @Test
    void theCheckOfALargeValueEndsWithItsFirstIssue() {
        ArrayNode wrong = MAPPER.createArrayNode();
        for (int i = 0; i < 100_000; i++)
            wrong.add(i);

        assertThat(schema("{'items':{'type':'string'}}").issues("output", wrong)).singleElement().asString()
                .startsWith("output[0]: ");
        assertThat(schema("{'items':{'type':'integer'}}").issues("output", wrong)).isEmpty();
    }

    @Test
    void aSchemaThatCannotBeUsedIsTheIssue() {
        assertThat(schema("{'$ref':'#'}").issues("output", json("1"))).singleElement().asString()
                .startsWith("the tool's own schema is not valid: ");
        assertThat(schema("{'pattern':'(?=a)'}").issues("output", json("'a'"))).singleElement().asString()
                .startsWith("the tool's own schema is not valid: ");
    }

    @Test
    void equalSchemasAreEqualAlsoOnceOneIsUsed() {
        ValueSchema used = schema("{'type':'integer'}");
        assertThat(used.issues("output", json("1"))).isEmpty();

        assertThat(used).isEqualTo(schema("{'type':'integer'}")).hasSameHashCodeAs(schema("{'type':'integer'}"))
                .isNotEqualTo(schema("{'type':'string'}"));
    }

    private static ValueSchema schema(String text) {
        return new ValueSchema((ObjectNode) json(text));
    }

    private static JsonNode json(String text) {
        return MAPPER.readTree(text.replace('\'', '"'));
    }
}
