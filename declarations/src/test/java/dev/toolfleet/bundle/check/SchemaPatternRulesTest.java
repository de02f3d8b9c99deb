package dev.toolfleet.bundle.check;

import dev.toolfleet.bundle.ProblemCode;
import org.junit.jupiter.api.Test;

class SchemaPatternRulesTest {
    @Test
    void aPatternThatRe2CannotReadIsReportedByItself() {
        Case.error("patterns are RE2's",
                "parameters: {type: object, properties: {a: {type: string, pattern: \"^(?=x)x\"}}}",
                ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].parameters", "'^(?=x)x'")
                .verify(Checked.export(
                        "parameters: {type: object, properties: {a: {type: string, pattern: \"^(?=x)x\"}}}"));
    }
}
