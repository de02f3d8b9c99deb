package dev.toolfleet.bundle.check;

import java.util.stream.Stream;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ToolRulesTest {
    private static final String EXPORTS = """
              exports:
                - name: start
            """;

    static Stream<Case> specs() {
        return Stream.of(
                Case.error("a Tool needs an entry", EXPORTS, ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.entry",
                        "missing"),
                Case.error("an entry is a text", "  entry: 7\n" + EXPORTS, ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.entry", "is 7"),
                Case.error("a built-in must exist", "  entry: builtin:bsh\n" + EXPORTS,
                        ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, "spec.entry", "Did you mean bash?"),
                Case.error("a built-in has a handler for each export",
                        "  entry: builtin:bash\n  exports: [{name: exce}]\n", ProblemCode.E_CONFIG_ENTRY_NOT_FOUND,
                        "spec.exports[0].name", "Did you mean exec?"),
                Case.error("auth names an OAuthApp in every version", "  entry: java:a.B\n  auth: {}\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.auth.oauthAppRef", "missing"),
                Case.error("a class name must be one", "  entry: java:com.acme.\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.entry", "no class name"),
                Case.error("a jar needs a class", "  entry: ./lib/a.jar\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.entry", "after '#'"),
                Case.error("a jar must exist", "  entry: ./lib/a.jar#a.B\n" + EXPORTS,
                        ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, "spec.entry", "lib/a.jar does not exist"),
                Case.error("a jar stays inside the bundle", "  entry: ./lib/../../a.jar#a.B\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.entry", "leaves the bundle"),
                Case.error("a jar's path is relative", "  entry: /lib/a.jar#a.B\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.entry", "leaves the bundle"),
                Case.error("a script stays inside the bundle", "  entry: ../x.ts\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.entry", "leaves the bundle"),
                Case.error("a script must exist", "  entry: ./tools/x/index.mjs\n" + EXPORTS,
                        ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, "spec.entry", "does not exist"),
                Case.error("an executable must exist", "  runtime: process\n  entry: ./bin/x\n" + EXPORTS,
                        ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, "spec.entry", "bin/x does not exist"),
                Case.error("an isolation is a known one", "  entry: java:a.B\n  isolation: all\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.isolation", "bundle, tool"),
                Case.warning("a runtime is a known one", "  runtime: proces\n  entry: java:a.B\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.runtime", "Did you mean process?"),
                Case.error("a limit is positive", "  entry: java:a.B\n  errorMessageLimit: 0\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.errorMessageLimit", "positive whole number"),
                Case.error("a limit is a number", "  entry: java:a.B\n  errorMessageLimit: many\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.errorMessageLimit", "'many'"),
                Case.error("exports are required", "  entry: java:a.B\n", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports", "at least one"),
                Case.error("exports are not empty", "  entry: java:a.B\n  exports: []\n",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports", "at least one"),
                Case.error("exports are a list", "  entry: java:a.B\n  exports: {start: {}}\n",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports", "must be a list"),
                Case.error("an export is a mapping", "  entry: java:a.B\n  exports: [start]\n",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0]", "must be a mapping"),
                Case.error("an export has a name", "  entry: java:a.B\n  exports: [{description: x}]\n",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].name", "missing"),
                Case.error("export names are unique", "  entry: java:a.B\n  exports: [{name: x}, {name: x}]\n",
                        ProblemCode.E_CONFIG_DUPLICATE_NAME, "spec.exports[1].name", "exists twice"),
                Case.error("an export's name holds no __", "  entry: java:a.B\n  exports: [{name: a__b}]\n",
                        ProblemCode.E_CONFIG_INVALID_NAME, "spec.exports[0].name", "'__'"),
                Case.error("an export's name begins with no _", "  entry: java:a.B\n  exports: [{name: _b}]\n",
                        ProblemCode.E_CONFIG_INVALID_NAME, "spec.exports[0].name", "begin or end"),
                Case.error("an export's name has no dot", "  entry: java:a.B\n  exports: [{name: a.b}]\n",
                        ProblemCode.E_CONFIG_INVALID_NAME, "spec.exports[0].name", "may hold only"),
                Case.hint("upper case is unusual", "  entry: java:a.B\n  exports: [{name: setChatAction}]\n",
                        ProblemCode.E_CONFIG_INVALID_NAME, "spec.exports[0].name", "upper-case"),
                Case.warning("a full name fits providers", "  entry: java:a.B\n  exports: [{name: " + "x".repeat(60)
                        + "}]\n", ProblemCode.E_CONFIG_INVALID_NAME, "spec.exports[0].name", "68 characters"),
                Case.warning("an unknown field is reported", "  entri: java:a.B\n  entry: java:a.B\n" + EXPORTS,
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "spec.entri", "Did you mean entry?"));
    }

    static Stream<Case> exports() {
        return Stream.of(
                Case.warning("an unknown field of an export is reported", "discription: x",
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "spec.exports[0].discription", "Did you mean description?"),
                Case.error("parameters are a mapping", "parameters: []", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports[0].parameters", "must be a mapping"),
                Case.error("parameters describe an object", "parameters: {type: string}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].parameters.type", "must be object"),
                Case.warning("parameters should say so", "parameters: {properties: {}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].parameters", "type: object"),
                Case.error("parameters are a JSON Schema",
                        "parameters: {type: object, properties: {a: {type: strin}}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].parameters.properties.a.type", "strin"),
                Case.error("required is a list of names", "parameters: {type: object, required: a}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].parameters.required", "'a'"),
                Case.error("patterns compile",
                        "parameters: {type: object, properties: {a: {type: string, pattern: \"(\"}}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].parameters", "cannot be used"),
                Case.error("references stay inside the schema",
                        "parameters: {type: object, properties: {a: {$ref: \"http://example.invalid/x\"}}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].parameters", "inside the schema"),
                Case.error("references that lead nowhere are found",
                        "parameters: {type: object, properties: {a: {$ref: \"#/$defs/none\"}}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].parameters", "cannot be used"),
                Case.error("an older dialect is checked by its own rules",
                        "parameters: {$schema: \"http://json-schema.org/draft-04/schema#\", type: object, properties: {a: {type: number, exclusiveMinimum: 3}}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports[0].parameters.properties.a.exclusiveMinimum", "boolean"),
                Case.error("an unknown dialect is refused",
                        "parameters: {$schema: \"https://example.invalid/schema\", type: object}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].parameters", "cannot be used"),
                Case.hint("a draft-07 schema is read",
                        "parameters: {$schema: \"http://json-schema.org/draft-07/schema#\", type: object, definitions: {b: {type: string}}, properties: {a: {$ref: \"#/definitions/b\"}}}",
                        ProblemCode.E_CONFIG_SCHEMA_OPEN, "spec.exports[0].parameters", "open"),
                Case.hint("an open schema is pointed out", "parameters: {type: object, properties: {}}",
                        ProblemCode.E_CONFIG_SCHEMA_OPEN, "spec.exports[0].parameters",
                        "additionalProperties: false"),
                Case.hint("no parameters are pointed out", "group: web", ProblemCode.E_CONFIG_SCHEMA_OPEN,
                        "spec.exports[0].parameters", "any arguments"),
                Case.hint("properties want a description",
                        "parameters: {type: object, properties: {a: {type: string}}}",
                        ProblemCode.E_CONFIG_DESCRIPTION_MISSING, "spec.exports[0].parameters.properties.a",
                        "no description"),
                Case.hint("the cost of no annotations is said", "group: web", ProblemCode.E_CONFIG_ANNOTATIONS_MISSING,
                        "spec.exports[0]", "E_TOOL_OUTCOME_UNKNOWN"),
                Case.error("annotations are flags", "annotations: {readOnly: often}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].annotations.readOnly", "true or false"),
                Case.warning("MCP's spelling is recognised", "annotations: {readOnlyHint: true}",
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "spec.exports[0].annotations.readOnlyHint",
                        "Did you mean readOnly?"),
                Case.warning("annotations do not contradict", "annotations: {readOnly: true, destructive: true}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].annotations", "Remove one"),
                Case.error("a policy flag is a flag", "requiresApproval: \"yes\"", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports[0].requiresApproval", "true or false"),
                Case.warning("a group exists", "group: finanse", ProblemCode.E_CONFIG_REF_NOT_FOUND,
                        "spec.exports[0].group", "Did you mean finance?"),
                Case.error("a timeout has a unit", "timeout: 30", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports[0].timeout", "30s"),
                Case.error("a timeout is a duration", "timeout: soon", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports[0].timeout", "'soon'"),
                Case.error("a heartbeat is a duration", "async: {heartbeatTimeout: 0s}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].async.heartbeatTimeout", "duration"),
                Case.warning("async fields are known", "async: {timeouts: 1h}", ProblemCode.E_CONFIG_UNKNOWN_FIELD,
                        "spec.exports[0].async.timeouts", "Did you mean timeout?"),
                Case.error("a poll's factor is from 1 to 100", "async: {poll: {factor: 0.5}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].async.poll.factor", "from 1 to 100"),
                Case.error("a poll's longest interval is not the shorter one",
                        "async: {poll: {interval: 1m, maxInterval: 5s}}", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports[0].async.poll.maxInterval", "60 s"),
                Case.error("an output schema is a mapping", "outputSchema: text", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports[0].outputSchema", "a mapping"),
                Case.error("an output schema is a JSON Schema", "outputSchema: {type: objekt}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].outputSchema.type", "no JSON Schema"),
                Case.error("checking an output is a flag", "validateOutput: always",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].validateOutput", "true or false"),
                Case.error("checking an output needs a schema", "validateOutput: true",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].validateOutput", "no outputSchema"),
                Case.error("repeating is a flag", "mayRepeat: often", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports[0].mayRepeat", "true or false"),
                Case.error("a cost is a number", "cost: dear", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports[0].cost", "from 0 to 1000000"),
                Case.error("a cost is not negative", "cost: -1", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports[0].cost", "from 0 to 1000000"),
                Case.error("concurrency is positive", "limits: {maxConcurrent: 0}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].limits.maxConcurrent", "positive"),
                Case.error("concurrency per core is positive", "limits: {maxConcurrent: {perCore: 0}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].limits.maxConcurrent.perCore",
                        "positive"),
                Case.error("concurrency as a mapping says per core", "limits: {maxConcurrent: {}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].limits.maxConcurrent.perCore",
                        "perCore: 4"),
                Case.error("a rate is positive", "limits: {ratePerSecond: -1.5}", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.exports[0].limits.ratePerSecond", "positive"),
                Case.error("a failure rate is a percentage", "limits: {circuitBreaker: {failureRate: 101}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].limits.circuitBreaker.failureRate",
                        "at most 100"),
                Case.error("a breaker's window is bounded", "limits: {circuitBreaker: {window: 5000}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].limits.circuitBreaker.window",
                        "at most 1000"),
                Case.error("a breaker is open for a duration", "limits: {circuitBreaker: {openFor: 30}}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].limits.circuitBreaker.openFor", "30s"),
                Case.warning("breaker fields are known", "limits: {circuitBreaker: {ignored: [E_X]}}",
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "spec.exports[0].limits.circuitBreaker.ignored",
                        "Did you mean ignore?"),
                Case.warning("holding needs a limit", "limits: {holdWhilePending: true}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].limits.holdWhilePending", "no effect"),
                Case.error("attempts are bounded", "annotations: {idempotent: true}\nretry: {maxAttempts: 1000}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].retry.maxAttempts", "at most 100"),
                Case.error("a back-off is bounded", "annotations: {idempotent: true}\nretry: {backoff: 2m}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].retry.backoff", "longer than 60 s"),
                Case.error("retryOn names codes", "annotations: {idempotent: true}\nretry: {retryOn: []}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].retry.retryOn", "no code"),
                Case.warning("retry needs a repeatable export", "retry: {maxAttempts: 3}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].retry", "no effect"),
                Case.error("attempts are positive", "annotations: {idempotent: true}\nretry: {maxAttempts: none}",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].retry.maxAttempts", "positive"));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void everyRuleOfAToolIsReported(Case row) {
        row.verify(Checked.tool(row.text()));
    }

    @ParameterizedTest
    @MethodSource("exports")
    void everyRuleOfAnExportIsReported(Case row) {
        row.verify(Checked.export(row.text()));
    }

    @Test
    void aCompleteExportLeavesNothingToSay() {
        BundleReport report = Checked.export("""
                parameters:
                  type: object
                  properties:
                    target: {type: string, description: What to build}
                  required: [target]
                  additionalProperties: false
                annotations: {idempotent: true, openWorld: false}
                group: system
                timeout: 10m
                retry: {maxAttempts: 3, backoff: 200ms, retryOn: [E_BUSY]}
                limits: {maxConcurrent: 4, ratePerSecond: 0.5, circuitBreaker: true, holdWhilePending: true}
                async: {timeout: PT5M, heartbeatTimeout: 1h30m, poll: {interval: 5s}}
                """);

        assertThat(report.problems()).isEmpty();
    }

    @Test
    void aMissingDescriptionIsAHint() {
        BundleReport report = Checked.tool("  entry: java:a.B\n  exports: [{name: x}]\n");

        assertThat(Checked.found(report, Severity.HINT, ProblemCode.E_CONFIG_DESCRIPTION_MISSING,
                "spec.exports[0].description")).isTrue();
    }

    @Test
    void eachExportWithoutAnnotationsGetsAHintOfItsOwn() {
        BundleReport report = Checked.tool("""
                  entry: java:a.B
                  exports:
                    - {name: one, annotations: {destructive: true}}
                    - {name: two, annotations: {idempotent: true}}
                    - {name: three}
                """);

        assertThat(report.problems()).filteredOn(p -> p.code() == ProblemCode.E_CONFIG_ANNOTATIONS_MISSING)
                .extracting(BundleProblem::path).containsExactly("spec.exports[0]", "spec.exports[2]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"readOnly: true", "readOnly: false", "idempotent: true", "idempotent: false"})
    void anAnnotationThatIsWrittenSilencesTheHint(String annotation) {
        BundleReport report = Checked.export("annotations: {" + annotation + "}");

        assertThat(report.problems()).noneMatch(p -> p.code() == ProblemCode.E_CONFIG_ANNOTATIONS_MISSING);
    }

    @Test
    void toolsThatCannotRunGetNoHintAboutAnnotations() {
        BundleReport report = Checked.tool("  entry: ../x.mjs\n" + EXPORTS);

        assertThat(report.problems()).noneMatch(p -> p.code() == ProblemCode.E_CONFIG_ANNOTATIONS_MISSING);
    }

    @Test
    void toolfleetsOwnVersionRefusesUnknownFields() {
        BundleReport report = Checked.yaml("""
                apiVersion: toolfleet.dev/v1
                kind: Tool
                metadata: {name: x}
                spec:
                  entry: java:a.B
                  exports: [{name: y, descripton: z}]
                """);

        assertThat(Checked.found(report, Severity.ERROR, ProblemCode.E_CONFIG_UNKNOWN_FIELD,
                "spec.exports[0].descripton")).isTrue();
    }

    @Test
    void aProblemPointsAtItsLineAndColumn() {
        BundleReport report = Checked.tool("  entry: java:a.B\n  exports:\n    - name: ok\n    - name: not ok\n");

        assertThat(Checked.at(report, Severity.ERROR)).singleElement().satisfies(problem -> {
            assertThat(problem.file()).isEqualTo("goondan.yaml");
            assertThat(problem.line()).isEqualTo(9);
            assertThat(problem.column()).isEqualTo(13);
        });
    }

    @Test
    void everyProblemIsReportedAtOnce() {
        BundleReport report = Checked.tool("""
                  entry: ''
                  errorMessageLimit: -1
                  exports:
                    - name: a__b
                    - name: c
                      timeout: never
                      parameters: {type: array}
                """);

        assertThat(Checked.at(report, Severity.ERROR)).hasSize(5);
    }
}
