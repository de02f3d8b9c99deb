package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.dev.DevFleet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "dev", header = "Runs broker, catalog service, worker, gateway and session service in one JVM until Ctrl-C.", description = {
        "",
        "Applies the bundles, and applies them again when their files change, jars included. Without"
                + " --bundle there is an agent coder with the built-in tools. The gateway answers over HTTP on port 7072 of this"
                + " machine (--set gateway.http.port=N or off; a free one with --port 0), the catalog service on 7070, the"
                + " worker on a free one, which is printed."}, footer = {"",
                        "Examples:",
                        "  toolfleet dev", "  toolfleet dev --bundle examples/hello --data .toolfleet",
                        "  toolfleet dev --bundle a --bundle b --port 19092"})
final class DevCommand implements Callable<Integer> {
    private final CommandContext context;

    @Option(names = "--bundle", paramLabel = "DIR", description = "A bundle's folder. May be repeated.")
    private List<Path> bundles = new ArrayList<>();

    @Option(names = "--port", paramLabel = "N", description = "The broker's port; 0 picks a free one, which the same --data has again (default: 9092).")
    private int port = 9092;

    @Option(names = "--data", paramLabel = "DIR", description = "Keeps topics and workspace there (default: they go away with the fleet).")
    private @Nullable Path data;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Sets one setting of worker, catalog or gateway.")
    private Map<String, String> settings = new LinkedHashMap<>();

    DevCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return new DevFleet(context.terminal(), bundles, PortOption.check(port), Optional.ofNullable(data), settings)
                .run();
    }
}
