package dev.toolfleet.cli.command;

import java.nio.file.Files;
import java.util.Locale;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.fleet.LoggedRun;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.training.TrainingRun;
import dev.toolfleet.embedded.process.AotCache;
import picocli.CommandLine.Command;

import static java.util.Objects.requireNonNull;

@Command(name = "aot-cache", header = "Makes the AOT cache with which workers and commands start sooner.", description = {
        "",
        "Starts a fleet in one JVM, on 127.0.0.1 and with temporary data, has it answer 60,000 calls, and"
                + " writes what that JVM learned to a file beside the executable jar, toolfleet.aot. From then on this"
                + " launcher uses it for every command. It takes about a minute and 110 MB.",
        "",
        "A cache fits the jar and the Java that it was made with. After a change of one of them it is ignored until"
                + " this command is run again; to do without it, delete the file."}, footer = {"", "Example:",
                        "  toolfleet aot-cache", "",
                        "Exit codes: 0 it is made, 1 it could not be made; one that was there before stays."})
final class AotCacheCommand implements Callable<Integer> {
    private static final double MEGABYTE = 1e6;

    private final CommandContext context;

    AotCacheCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        AotCache cache = AotCache.ofThisJvm().orElseThrow(() -> Failure.failed(
                "an AOT cache belongs to one jar, and this runs from '" + System.getProperty("java.class.path")
                        + "'; start it by the launcher, ./toolfleet aot-cache"));
        TempFolder.writable(requireNonNull(cache.jar().getParent()), "the folder of " + cache.jar() + ",");
        return LoggedRun.run(context.terminal(), "no AOT cache could be made", folder -> {
            new TrainingRun(cache, folder, context.terminal()::note).run();
            context.terminal().print(String.format(Locale.ROOT, "%s: %.0f MB, used from now on", cache.file(),
                    Files.size(cache.file()) / MEGABYTE));
            return Failure.SUCCESS;
        });
    }
}
