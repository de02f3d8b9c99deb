package dev.toolfleet.worker.registry;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ArgumentSchemaTest {

    @Test
    void argumentsThatFitPass() {
        assertThat(check("{'type':'object','properties':{'n':{'type':'integer'}},'required':['n']}", "{'n':1}"))
                .isNull();
        assertThat(check("{}", "{'anything':[1,2]}")).isNull();
    }

    @Test
    void anErrorNamesPlaceAndWayOut() {
        ToolError error = refused("{'properties':{'a':{'items':{'properties':{'b':{'type':'string'}}}},'c':{}},"
                + "'required':['a']}", "{'a':[{},{'b':1}]}");

        assertThat(error.code()).isEqualTo("E_TOOL_INVALID_ARGS");
        assertThat(error.message()).contains("'t__x'").contains("args.a[1].b:").contains("string");
        assertThat(error.suggestion()).contains("required=[a]").contains("allowed=[a, c]");
    }

    @Test
    void atMostFiveIssuesAreListed() {
        String schema = "{'additionalProperties':{'type':'string'}}";

        assertThat(refused(schema, "{'a':1,'b':2,'c':3,'d':4,'e':5}").message()).doesNotContain("more");
        assertThat(refused(schema, "{'a':1,'b':2,'c':3,'d':4,'e':5,'f':6,'g':7}").message()).endsWith("; +2 more")
                .contains("args.a", "args.e").doesNotContain("args.f");
    }

    @Test
    void argumentsThatAreNoObjectAreRefused() {
        assertThat(refused("{}", "[1]").message()).contains("an object expected, got array");
        assertThat(refused("{}", "'text'").message()).contains("got string");
        assertThat(refused("{}", "null").message()).contains("got null");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'$defs':{'id':{'type':'integer'}},'properties':{'a':{'$ref':'#/$defs/id'}}} | {'a':1}        | {'a':'x'}
            {'oneOf':[{'required':['a']},{'required':['b']}]}                            | {'a':1}        | {'a':1,'b':2}
            {'anyOf':[{'required':['a']},{'required':['b']}]}                            | {'a':1,'b':1}  | {}
            {'allOf':[{'required':['a']},{'required':['b']}]}                            | {'a':1,'b':1}  | {'a':1}
            {'properties':{'a':{'pattern':'^[a-z]+$'}}}                                  | {'a':'abc'}    | {'a':'a1'}
            {'properties':{'a':{'enum':['x','y']}}}                                      | {'a':'x'}      | {'a':'z'}
            {'properties':{'a':{'const':7}}}                                             | {'a':7}        | {'a':8}
            {'properties':{'a':{'not':{'type':'null'}}}}                                 | {'a':1}        | {'a':null}
            {'properties':{'a':{'minimum':3,'exclusiveMaximum':5}}}                      | {'a':4}        | {'a':5}
            {'properties':{'a':{'prefixItems':[{'type':'integer'}],'items':false}}}      | {'a':[1]}      | {'a':[1,2]}
            {'additionalProperties':false,'properties':{'a':{}}}                         | {'a':1}        | {'b':1}
            {'unevaluatedProperties':false,'allOf':[{'properties':{'a':{}}}]}            | {'a':1}        | {'b':1}
            {'if':{'required':['a']},'then':{'required':['b']}}                          | {'a':1,'b':1}  | {'a':1}
            {'dependentRequired':{'a':['b']}}                                            | {'a':1,'b':1}  | {'a':1}
            {'properties':{'a':{'type':'integer'}}}                                      | {'a':1}        | {'a':'1'}
            {'properties':{'a':{'uniqueItems':true,'contains':{'const':1}}}}             | {'a':[1,2]}    | {'a':[2,3]}
            """)
    void theWholeDialectIsChecked(String schema, String good, String bad) {
        assertThat(check(schema, good)).isNull();
        assertThat(check(schema, bad)).isNotNull();
    }

    @Test
    void aSchemaMayNameAnOlderDialect() {
        String schema = "{'$schema':'http://json-schema.org/draft-07/schema#',"
                + "'properties':{'a':{'items':[{'type':'integer'}],'additionalItems':false}}}";

        assertThat(check(schema, "{'a':[1]}")).isNull();
        assertThat(check(schema, "{'a':[1,2]}")).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'$ref':'#/$defs/missing'}
            {'properties':{'a':{'pattern':'['}}}
            {'$schema':'http://example.org/no-such-dialect'}
            """)
    void aDefectiveSchemaRefusesEveryCallSayingSo(String schema) {
        ToolError error = check(schema, "{'a':'x'}");

        assertThat(error).isNotNull();
        assertThat(requireNonNull(error).message()).contains("the tool's own schema is not valid");
    }

    @Test
    void aSchemaThatRefersToItselfWithoutEndIsDefective() {
        assertThat(refused("{'$ref':'#'}", "{}").message()).contains("the tool's own schema is not valid");
    }

    // With java.util.regex the call stood at 100 % of a processor until the worker was restarted.
    @Test
    void aSlowPatternIsCheckedAtOnce() {
        assertThat(refused("{'properties':{'a':{'type':'string','pattern':'^(.*,){20}P'}}}",
                "{'a':'" + "1,".repeat(45) + "'}").message()).contains("args.a");
    }

    @Test
    void aPatternThatRe2CannotReadIsNamed() {
        assertThat(refused("{'properties':{'a':{'type':'string','pattern':'^(?=x)x'}}}", "{'a':'x'}").message())
                .contains("the tool's own schema is not valid", "'^(?=x)x'");
    }

    @Test
    void nothingIsFetchedFromElsewhere() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(50);
            String address = "http://127.0.0.1:" + server.getLocalPort() + "/schema.json";

            assertThat(refused("{'$ref':'" + address + "'}", "{}").message()).contains("not valid");
            assertThatThrownBy(server::accept).as("nobody asked").isInstanceOf(SocketTimeoutException.class);
        }
        assertThat(refused("{'$ref':'file:///etc/hostname'}", "{}").message()).contains("not valid");
        assertThat(refused("{'$ref':'classpath:logback-test.xml'}", "{}").message()).contains("not valid");
    }

    @Test
    void schemasWithTheSameIdDoNotMeet() {
        ArgumentSchema first = compile("{'$id':'https://acme.example/args','properties':{'a':{'type':'string'}}}");
        assertThat(first.check(json("{'a':'x'}"))).isNull();
        ArgumentSchema second = compile("{'$id':'https://acme.example/args','properties':{'a':{'$ref':'#/$defs/n'}},"
                + "'$defs':{'n':{'type':'integer'}}}");

        assertThat(second.check(json("{'a':1}"))).isNull();
        assertThat(second.check(json("{'a':'x'}"))).isNotNull();
        assertThat(first.check(json("{'a':'x'}"))).isNull();
    }

    private static ToolError refused(String schema, String args) {
        return requireNonNull(check(schema, args));
    }

    private static @Nullable ToolError check(String schema, String args) {
        return compile(schema).check(json(args));
    }

    private static ArgumentSchema compile(String schema) {
        return new ArgumentSchema("t__x", (ObjectNode) json(schema));
    }

    private static tools.jackson.databind.JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
