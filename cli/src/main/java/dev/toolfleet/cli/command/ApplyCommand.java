package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.bundle.RevisionDiff;
import dev.toolfleet.cli.bundle.SigningKeys;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.publishing.apply.AppliedRevision;
import dev.toolfleet.publishing.apply.BuiltInBundle;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.BundlePublisher;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.resources.BundleSigner;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.topic.Topic;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "apply", header = "Publishes a bundle to a fleet as its next revision.", description = {"",
        "A bundle is published only if it is valid and holds no secret in plain text. What its last"
                + " revision had and this one has not is pruned. Jars stay where they are: workers find them in a folder"
                + " of the bundle's name under worker.bundles and check their digests.",
        "",
        "A bundle touches its own resources only. One that declares an Agent which another bundle of the fleet has is"
                + " refused, since a call names an Agent and no bundle.",
        "",
        "Workers, catalog services and gateways with trustedKeys show no revision that none of these keys has"
                + " signed: give --sign for every bundle then, for @toolfleet/base too.",
        "",
        "@toolfleet/base stands for the built-in tools; apply it once per fleet and version."}, footer = {"",
                "Examples:",
                "  toolfleet apply @toolfleet/base --bootstrap broker:9092",
                "  toolfleet apply examples/hello --bootstrap broker:9092",
                "  toolfleet apply examples/hello --sign deploy.key --bootstrap broker:9092",
                "  toolfleet apply . --name @acme/builds --config prod.yaml --dry-run", "",
                "Exit codes: 0 applied, or nothing to do; 1 the broker did not let it; 2 the bundle is not valid, or takes"
                        + " another bundle's Agent. Nothing was written then, unless the message says that it is not known."})
final class ApplyCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "DIR", description = "The bundle's folder, or @toolfleet/base.")
    private Path folder = Path.of(".");

    @Option(names = "--name", paramLabel = "NAME", description = "The name of a bundle that has no Package.")
    private @Nullable String name;

    @Option(names = "--sign", paramLabel = "KEYFILE", description = "Signs the revision with this private key (toolfleet key new).")
    private @Nullable Path sign;

    @Option(names = "--dry-run", description = "Writes nothing, and shows what would be added, changed and pruned, field by field.")
    private boolean dryRun;

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    ApplyCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        LocalBundle bundle = folder.equals(Path.of(FleetResources.BUILT_IN))
                ? BuiltInBundle.read()
                : LocalBundle.of(BundleCheck.check(folder), name);
        BundleSigner signer = sign == null ? null : SigningKeys.signer(sign);
        RemoteFleet remote = fleet.open(context);
        remote.check(Topic.RESOURCE);
        BundlePublisher publisher = new BundlePublisher(remote.name(Topic.RESOURCE), remote.kafka(), remote.clock());
        Terminal terminal = context.terminal();

        if (dryRun) {
            BundlePublisher.Preview preview = publisher.preview(bundle.name(), bundle.declared());
            RevisionDiff.of(preview.plan(), preview.before())
                    .lines(new Style(terminal.colour()), terminal.interactive() ? terminal.width() : Integer.MAX_VALUE)
                    .forEach(terminal::print);
            return Failure.SUCCESS;
        }
        AppliedRevision applied = publisher.publish(bundle.name(), bundle.declared(), signer);
        if (signer != null)
            terminal.print("signed with " + sign);
        applied.lines().forEach(terminal::print);
        publisher.sharedAgents(bundle.name()).forEach(sentence -> terminal.note("toolfleet: warning: " + sentence));
        return Failure.SUCCESS;
    }
}
