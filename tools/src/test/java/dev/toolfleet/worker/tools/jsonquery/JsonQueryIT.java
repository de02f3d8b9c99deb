package dev.toolfleet.worker.tools.jsonquery;

import dev.toolfleet.testkit.ToolContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("the contract of a tool compares the threads and files of this JVM")
class JsonQueryIT {
    @Test
    void itPassesTheContract() throws InterruptedException {
        ToolContract.of(JsonQueryModule::new).export("query").input("{'data': '[1, {}]', 'path': '[0]'}")
                .failingInput("{'data': '{'}").failingInput("{'data': '{}', 'path': 'a..b'}").export("pick")
                .input("{'data': '{}', 'keys': ['a']}").failingInput("{'data': '1', 'keys': []}").export("count")
                .input("{'data': 'true'}").failingInput("{'data': 'x'}").export("flatten").input("{'data': '[[[]]]'}")
                .failingInput("{'data': '0'}").verify();
    }
}
