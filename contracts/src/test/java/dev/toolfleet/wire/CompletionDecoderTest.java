package dev.toolfleet.wire;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CompletionDecoderTest {

    @ParameterizedTest
    @ValueSource(strings = {"{'handle':'h','kind':'completed'}", "{'handle':'h','kind':'completed','output':[1]}",
            "{'handle':'h','kind':'failed','error':{'code':'E_BUILD','message':'no'}}",
            "{'handle':'h','kind':'cancelled'}",
            "{'handle':'h','kind':'cancelled','error':{'code':'E','message':'m'},'token':'t'}",
            "{'handle':'h','kind':'progress','progress':{'percent':100}}",
            "{'handle':'h','kind':'progress','progress':{'message':'linking'}}"})
    void whatSaysOneThingIsACompletion(String json) {
        assertThat(decode(json)).isInstanceOf(DecodedCompletion.Valid.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"nonsense|Completion expected|",
            "{'kind':'completed'}|'handle' is missing|", "{'handle':'h'}|'kind' is missing|h",
            "{'handle':'h','kind':'finished'}|finished|h", "{'handle':' ','kind':'completed'}|'handle' is empty| ",
            "{'handle':'h','kind':'completed','output':1,'error':{'code':'E','message':'m'}}|'error' does not go with|h",
            "{'handle':'h','kind':'failed'}|'error' is missing|h",
            "{'handle':'h','kind':'failed','output':1,'error':{'code':'E','message':'m'}}|'output' does not go with|h",
            "{'handle':'h','kind':'cancelled','output':1}|'output' does not go with kind 'cancelled'|h",
            "{'handle':'h','kind':'completed','progress':{'percent':1}}|'progress' does not go with|h",
            "{'handle':'h','kind':'progress'}|'progress' is missing|h",
            "{'handle':'h','kind':'progress','progress':{'percent':400}}|'progress.percent' is 400.0|h",
            "{'handle':'h','kind':'progress','progress':{'percent':-1}}|from 0 to 100|h", "[]|Completion expected|"})
    void whatDoesNotSaysWhy(String json, String reason, String handle) {
        assertThat(decode(json)).isInstanceOfSatisfying(DecodedCompletion.Malformed.class, malformed -> {
            assertThat(malformed.reason()).contains(reason);
            if (handle != null)
                assertThat(malformed.handle()).hasToString(handle.isEmpty() ? " " : handle);
        });
    }

    @Test
    void aHandleIsARecordsKeyAndNotADocument() {
        String handle = "h".repeat(10_240);

        assertThat(decode("{'handle':'" + handle + "','kind':'completed'}")).isEqualTo(new DecodedCompletion.Malformed(
                "'handle' has 10240 characters; at most 1024 are accepted", null));
    }

    @Test
    void aTombstoneIsNoCompletion() {
        assertThat(CompletionDecoder.decode(null)).isInstanceOf(DecodedCompletion.Malformed.class);
    }

    private static DecodedCompletion decode(String json) {
        return CompletionDecoder.decode(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
