package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Set;

import dev.toolfleet.cli.grant.Grants;
import dev.toolfleet.cli.grant.OAuthKeyFile;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "oauth", header = "Shows and revokes the access that people have granted to tools.", synopsisSubcommandLabel = "COMMAND", footer = {
        "", "Examples:", "  toolfleet oauth key init keys/oauth.key",
        "  toolfleet oauth list --user telegram:7", "  toolfleet oauth revoke grant-0011223344556677"})
final class OAuthCommand extends CommandGroup {
    private OAuthCommand(CommandContext context) {
        super(context,
                "what about OAuth? There are: toolfleet oauth list, show, revoke, rotate, key init, key promote");
    }

    /// Adds the command, with the group `key` below it.
    static void addTo(CommandLine root, CommandContext context) {
        CommandLine oauth = new CommandLine(new OAuthCommand(context));
        oauth.addSubcommand(new Key(context));
        root.addSubcommand(oauth);
    }

    /// `oauth list`.
    @Command(name = "list", header = "Lists the grants.", description = {"",
            "It reads oauth.grant and needs no key. Users are known by the digest of their id; no token is shown."}, footer = {
                    "", "Examples:", "  toolfleet oauth list --bootstrap broker:9092",
                    "  toolfleet oauth list --app chat --json", "",
                    "Exit codes: 0 success, 1 the topics cannot be read, 2 usage."})
    int list(@Mixin FleetOptions fleet,
            @Option(names = "--app", paramLabel = "NAME", description = "Only of this OAuthApp.") @Nullable String app,
            @Option(names = "--user", paramLabel = "ID", description = "Only of this userId.") @Nullable String user,
            @Option(names = "--json", description = "Prints one JSON object a line.") boolean json) {
        try (Grants grants = new Grants(fleet.open(context()), context().environment())) {
            return grants.list(app, user, json);
        }
    }

    /// `oauth show`.
    @Command(name = "show", header = "Shows a grant.", footer = {"", "Example:",
            "  toolfleet oauth show grant-0011223344556677", "",
            "Exit codes: 0 success, 1 there is no such grant, 2 usage."})
    int show(@Mixin FleetOptions fleet,
            @Parameters(index = "0", paramLabel = "GRANT", description = "The grant's id.") String grant,
            @Option(names = "--json", description = "Prints one JSON object.") boolean json) {
        try (Grants grants = new Grants(fleet.open(context()), context().environment())) {
            return grants.show(grant, json);
        }
    }

    /// `oauth revoke`.
    @Command(name = "revoke", header = "Revokes a grant, also at its server.", description = {"",
            "The owner of the grant, a worker, forgets its tokens at once; it revokes them at the server if the OAuthApp has"
                    + " a revokeUrl. A call that runs keeps the token that it has."}, footer = {"", "Example:",
                            "  toolfleet oauth revoke grant-0011223344556677 --bootstrap broker:9092", "",
                            "Exit codes: 0 it is revoked, 1 it is not known, or no owner has done it in time, 2 no key."})
    int revoke(@Mixin FleetOptions fleet,
            @Parameters(index = "0", paramLabel = "GRANT", description = "The grant's id.") String grant)
            throws InterruptedException {
        try (Grants grants = new Grants(fleet.open(context()), context().environment())) {
            return grants.revoke(grant);
        }
    }

    /// `oauth rotate`.
    @Command(name = "rotate", header = "Seals all grants with the current key.", description = {"",
            "Before it: toolfleet oauth key init FILE, bring the file to all workers and gateways and restart them; then"
                    + " the same with toolfleet oauth key promote FILE. Keep the older keys until this command has ended."}, footer = {
                            "", "Example:",
                            "  toolfleet oauth rotate --bootstrap broker:9092", "",
                            "Exit codes: 0 all grants have the current key, 1 no owner has done it in time, 2 no key."})
    int rotate(@Mixin FleetOptions fleet) throws InterruptedException {
        try (Grants grants = new Grants(fleet.open(context()), context().environment())) {
            return grants.rotate();
        }
    }

    /// `oauth key`.
    @Command(name = "key", header = "Makes the keys that seal tokens.", synopsisSubcommandLabel = "COMMAND", footer = {
            "", "Example:", "  toolfleet oauth key init keys/oauth.key"})
    static final class Key extends CommandGroup {
        Key(CommandContext context) {
            super(context, "what about keys? There are: toolfleet oauth key init FILE, promote FILE");
        }

        /// `oauth key init`.
        @Command(name = "init", header = "Makes a key, behind those that the file has.", description = {"",
                "The file is for workers and gateways: its holder can read and use every token. The first key seals; the"
                        + " others open what they sealed. A new key of a file with others seals once it is promoted."}, footer = {
                                "", "Examples:",
                                "  toolfleet oauth key init keys/oauth.key",
                                "  toolfleet oauth key init keys/oauth.key --id 2026-12", "",
                                "Exit codes: 0 made, 1 the file cannot be written, 2 the file has such a key, or is no file of keys."})
        int init(
                @Parameters(index = "0", paramLabel = "FILE", description = "The file, made when it is absent.") Path file,
                @Option(names = "--id", paramLabel = "ID", description = "The key's id (default: the date).") @Nullable String id) {
            Set<String> ids = OAuthKeyFile.init(file, id == null ? LocalDate.now(ZoneOffset.UTC).toString() : id);
            Terminal terminal = context().terminal();
            terminal.print((ids.size() == 1 ? "created " : "added a key to ") + file + " (private)");
            terminal.print("");
            terminal.print("Next, for workers and gateways (docs/oauth.md):");
            terminal.print("  worker:  { oauth: { keyFile: " + file + ", publicUrl: https://GATEWAY } }");
            terminal.print("  gateway: { oauth: { keyFile: " + file + " } }");
            if (ids.size() > 1) {
                terminal.print("The key does not seal yet. Once all of them have it, and were restarted:");
                terminal.print("  toolfleet oauth key promote " + file);
            }
            return Failure.SUCCESS;
        }

        /// `oauth key promote`.
        @Command(name = "promote", header = "Lets another key of a file seal.", description = {"",
                "All workers and gateways must have the key before: one that has not can open nothing that it sealed."}, footer = {
                        "", "Examples:", "  toolfleet oauth key promote keys/oauth.key",
                        "  toolfleet oauth key promote keys/oauth.key --id 2026-12", "",
                        "Exit codes: 0 done, 1 the file cannot be written, 2 the file has no such key, or is no file of keys."})
        int promote(@Parameters(index = "0", paramLabel = "FILE", description = "The file.") Path file,
                @Option(names = "--id", paramLabel = "ID", description = "The key's id (default: the one that was added last).") @Nullable String id) {
            Set<String> ids = OAuthKeyFile.promote(file, id);
            Terminal terminal = context().terminal();
            terminal.print("The key '" + ids.iterator().next() + "' of " + file + " seals now.");
            terminal.print(
                    "Bring the file to all workers and gateways, restart them, and then: toolfleet oauth rotate");
            return Failure.SUCCESS;
        }
    }
}
