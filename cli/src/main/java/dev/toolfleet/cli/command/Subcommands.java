package dev.toolfleet.cli.command;

import picocli.CommandLine;

/// The list of commands, in the order in which help shows them.
final class Subcommands {
    private Subcommands() {}

    static void addTo(CommandLine root, CommandContext context) {
        root.addSubcommand(new InitCommand(context));
        root.addSubcommand(new ValidateCommand(context));
        root.addSubcommand(new ApplyCommand(context));
        root.addSubcommand(new TopicsCommand(context));
        root.addSubcommand(new ConfigCommand(context));
    }
}
