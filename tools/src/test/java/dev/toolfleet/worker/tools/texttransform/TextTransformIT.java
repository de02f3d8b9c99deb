package dev.toolfleet.worker.tools.texttransform;

import dev.toolfleet.testkit.ToolContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("the contract of a tool compares the threads and files of this JVM")
class TextTransformIT {
    /// Text in which every place may begin a match, and only the end of the text shows that it does not.
    private static final String SLOW = "{'text': '" + "x".repeat(200_000)
            + "', 'search': '(?:x?){300}x*y', 'all': true, 'regex': true}";

    @Test
    void itPassesTheContract() throws InterruptedException {
        ToolContract.of(TextTransformModule::new).export("replace")
                .input("{'text': 'a1', 'search': '[0-9]', 'regex': true}").slowInput(SLOW)
                .failingInput("{'text': 'a', 'search': '('  , 'regex': true}").export("slice").input("{'text': 'abc'}")
                .failingInput("{'text': 1}").export("split").input("{'text': 'a'}")
                .failingInput("{'text': 'a', 'maxParts': -1}").export("join").input("{'parts': ['a', 1]}")
                .failingInput("{'parts': [{}]}").export("trim").input("{'text': ' '}")
                .failingInput("{'text': ' ', 'mode': 'x'}").export("case").input("{'text': 'a', 'to': 'upper'}")
                .failingInput("{'text': 'a', 'to': 'x'}").export("transform")
                .input("{'operation': 'trim', 'text': ' a'}").failingInput("{'operation': 'x'}").verify();
    }
}
