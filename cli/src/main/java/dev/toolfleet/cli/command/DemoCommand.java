package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.bundle.SigningKeys;
import dev.toolfleet.cli.demo.Demo;
import dev.toolfleet.resources.BundleSigner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "demo", header = "Shows the whole thing: an agent's calls through Kafka and back, in one JVM.", description = {
        "", "Needs nothing but this command, takes some ten seconds, and leaves nothing behind.",
        "",
        "With --keep, the fleet goes on after the tour, and one call waits for you: find it in the console, approve it,"
                + " and see it run.",
        "",
        "With --sign, worker and catalog service run bundles of their trusted keys alone, as in a fleet."}, footer = {
                "", "Examples:", "  toolfleet demo",
                "  toolfleet demo --keep",
                "  toolfleet demo --set worker.sandbox.mode=required --set worker.egress.allow=api.example.com",
                "  toolfleet demo --sign my.key --set worker.trustedKeys=my.pub --set catalog.trustedKeys=my.pub"
                        + " --set gateway.trustedKeys=my.pub"})
final class DemoCommand implements Callable<Integer> {
    private final CommandContext context;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Sets one setting of worker, catalog or gateway.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "--sign", paramLabel = "KEYFILE", description = "Signs the demo's bundles with this private key (toolfleet key new).")
    private @Nullable Path sign;

    @Option(names = "--keep", description = "Keeps the fleet running after the tour, until Ctrl-C, with a call that waits for your approval.")
    private boolean keeps;

    DemoCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Optional<BundleSigner> signer = Optional.ofNullable(sign).map(SigningKeys::signer);
        return new Demo(context.terminal(), settings, signer, keeps).run();
    }
}
