package dev.toolfleet.worker.tools.wait;

import dev.toolfleet.testkit.ToolContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("the contract of a tool compares the threads and files of this JVM")
class WaitIT {
    @Test
    void itPassesTheContract() throws InterruptedException {
        ToolContract.of(WaitModule::new).export("seconds").input("{'seconds': 0.05}").slowInput("{'seconds': 60}")
                .failingInput("{'seconds': -1}").verify();
    }
}
