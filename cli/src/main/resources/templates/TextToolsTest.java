package example;

import dev.toolfleet.testkit.ToolContract;
import org.junit.jupiter.api.Test;

class TextToolsTest {
    /// What every tool has to do: answer in JSON and within a size, fail with a code and a message, leave nothing
    /// behind.
    @Test
    void keepsTheContractOfTools() throws InterruptedException {
        ToolContract.of(TextTools::new).export("count")
                .input("{'text': 'the quick brown fox'}")
                .failingInput("{'text': ' '}")
                .verify();
    }
}
