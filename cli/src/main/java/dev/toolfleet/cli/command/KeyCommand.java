package dev.toolfleet.cli.command;

import java.nio.file.Path;

import dev.toolfleet.cli.bundle.SigningKeys;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "key", header = "Makes keys that sign bundles.", synopsisSubcommandLabel = "COMMAND", footer = {"",
        "Example:", "  toolfleet key new keys/deploy"})
final class KeyCommand extends CommandGroup {
    KeyCommand(CommandContext context) {
        super(context, "what about keys? There is: toolfleet key new NAME");
    }

    /// `key new`.
    @Command(name = "new", header = "Makes a pair of Ed25519 keys.", description = {"",
            "NAME.key is private: its holder decides which code and which policy the fleet runs. It stays with who"
                    + " applies bundles (toolfleet apply --sign NAME.key). NAME.pub is for workers and catalog services.",
            "", "Existing files are never overwritten."}, footer = {"", "Example:",
                    "  toolfleet key new keys/deploy", "",
                    "Exit codes: 0 made, 1 a file is there or cannot be written."})
    int create(
            @Parameters(index = "0", paramLabel = "NAME", description = "The files' names without .key and .pub.") Path name) {
        SigningKeys.Made made = SigningKeys.make(name);
        Terminal terminal = context().terminal();
        terminal.print("created " + made.privateKey() + " (private)");
        terminal.print("created " + made.publicKey());
        terminal.print("");
        terminal.print("Next, for workers and catalog services (docs/operations.md):");
        terminal.print("  worker:  { trustedKeys: [" + made.text() + "] }");
        terminal.print("  catalog: { trustedKeys: [" + made.text() + "] }");
        terminal.print("  gateway: { trustedKeys: [" + made.text() + "] }");
        return Failure.SUCCESS;
    }
}
