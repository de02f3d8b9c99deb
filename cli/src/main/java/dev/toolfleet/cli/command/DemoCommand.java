package dev.toolfleet.cli.command;

import java.util.concurrent.Callable;

import dev.toolfleet.cli.demo.Demo;
import picocli.CommandLine.Command;

@Command(name = "demo", header = "Shows the whole thing: an agent's calls through Kafka and back, in one JVM.", description = {
        "", "Needs nothing but this command, takes some ten seconds, and leaves nothing behind."}, footer = {"",
                "Example:", "  toolfleet demo"})
final class DemoCommand implements Callable<Integer> {
    private final CommandContext context;

    DemoCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        return new Demo(context.terminal()).run();
    }
}
