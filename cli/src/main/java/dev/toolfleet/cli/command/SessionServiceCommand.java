package dev.toolfleet.cli.command;

import java.time.Duration;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.fleet.SessionSettings;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Logs;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.sessions.app.SessionConfig;
import dev.toolfleet.sessions.app.SessionService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "session-service", header = "Runs one session service of a fleet until it is told to stop.", description = {
        "",
        "It keeps the messages of each conversation: those that agent runtimes write to session.message, and one for each"
                + " result on tool.result. Services of one group share the work. It shows messages, state, health and"
                + " metrics over HTTP (session.http.port, default 7074 on this machine alone; off for none)."}, footer = {
                        "", "Examples:",
                        "  toolfleet session-service --config fleet.yaml",
                        "  toolfleet session-service --bootstrap broker:9092 --set session.stateDir=/var/lib/toolfleet",
                        "  curl http://127.0.0.1:7074/v1/instances/telegram%%3A123/agents/coder/messages?view=model"})
final class SessionServiceCommand implements Callable<Integer> {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(15);

    private final CommandContext context;

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    SessionServiceCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Logs.SERVICE.apply();
        FleetConfig settings = fleet.load(context.environment());
        SessionConfig config = SessionSettings.of(settings);
        TempFolder.writable(config.stateDir(), "session.stateDir");
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE);
                SessionService service = new SessionService(config, SessionSettings.http(settings))) {
            service.start();
            ServiceCommand.await(stop, service.stopped(), "the session service");
        }
        return Failure.SUCCESS;
    }
}
