package dev.toolfleet.cli.access;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.cli.fleet.CatalogSettings;
import dev.toolfleet.cli.fleet.GatewaySettings;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.fleet.SessionSettings;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.access.AclsReport;
import dev.toolfleet.client.access.FleetAcls;
import dev.toolfleet.client.access.FleetNames;
import dev.toolfleet.client.access.OwnGroup;
import dev.toolfleet.client.access.Role;
import dev.toolfleet.client.access.RoleAcls;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.json.Json;
import dev.toolfleet.worker.app.WorkerConfig;
import org.apache.kafka.common.acl.AclBinding;
import tools.jackson.databind.node.ObjectNode;

/// `toolfleet topics acl`.
public final class RoleGranter {
    private final RemoteFleet fleet;
    private final Terminal terminal;
    private final boolean json;

    /// For this fleet.
    ///
    /// @param json whether it prints one object instead of lines
    public RoleGranter(RemoteFleet fleet, boolean json) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
        this.json = json;
    }

    /// Gives a principal the rights of a role.
    ///
    /// @param groups consumer groups of the principal's own, as a person writes them
    /// @param dryRun true to print the ACLs that it would create, without a broker
    /// @throws Failure (invalid) when role, principal or groups cannot be used; nothing was created then
    public int grant(String roleName, String principal, List<String> groups, boolean dryRun) {
        Role role = Role.named(roleName).orElseThrow(() -> Failure.invalid("there is no role '" + roleName
                + "'; there are " + Arrays.stream(Role.values()).map(Role::text).collect(Collectors.joining(", "))));
        check(principal);
        FleetNames names = names();
        List<AclBinding> acls = RoleAcls.of(role, principal, names, ownGroups(role, groups, names));
        if (dryRun)
            shown(role, principal, acls);
        else
            done(role, principal, new FleetAcls(fleet.kafka(), FleetTopics.DEFAULT_TIMEOUT)
                    .grant(principal, acls));
        return Failure.SUCCESS;
    }

    private FleetNames names() {
        FleetConfig config = fleet.config();
        return new FleetNames(fleet.topics(),
                WorkerConfig.of(config.kafka(), config.topics(), config.worker(), "any").identity().group(),
                CatalogSettings.of(config).applicationId(), GatewaySettings.applicationId(config),
                SessionSettings.of(config).applicationId());
    }

    private static void check(String principal) {
        if (!principal.matches("[A-Za-z]+:\\S.*"))
            throw Failure.invalid("the principal '" + principal
                    + "' is not allowed: a type and a name, such as User:ann or 'User:CN=ann,O=acme'");
        if (principal.endsWith(":*"))
            throw Failure.invalid("the principal '" + principal
                    + "' is everybody, also who never logged in; give the role to each principal that has it");
    }

    private static List<OwnGroup> ownGroups(Role role, Collection<String> groups, FleetNames names) {
        if (!groups.isEmpty() && role != Role.RUNTIME && role != Role.ANALYST)
            throw Failure.invalid("a principal with the role " + role.text() + " has no group of its own"
                    + " (--group " + groups.iterator().next() + "): runtimes and analysts have; workers, catalog"
                    + " services and gateways have those of the settings worker.group.id, catalog.group and"
                    + " gateway.group");
        try {
            List<OwnGroup> own = groups.stream().map(OwnGroup::of).toList();
            Stream.of(names.workerGroup(), names.workerGroup() + "-completions", names.catalogApplication(),
                    names.gatewayApplication())
                    .filter(group -> own.stream().anyMatch(each -> each.covers(group))).findFirst()
                    .ifPresent(group -> {
                        throw Failure.invalid("--group " + String.join(", ", groups) + " covers the group " + group
                                + ", in which the fleet's own processes share their work: a stranger in it would take"
                                + " calls or steps away; name groups of the principal's own");
                    });
            return own;
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(String.valueOf(e.getMessage()));
        }
    }

    private void shown(Role role, String principal, List<AclBinding> acls) {
        if (json) {
            ObjectNode object = object(role, principal);
            object.set("acls", AclText.json(acls));
            terminal.print(ShownJson.pretty(object));
        } else {
            terminal.print(AclText.commands(acls, principal, fleet.config().kafka().bootstrapServers()));
            terminal.note("nothing was created");
        }
    }

    private void done(Role role, String principal, AclsReport report) {
        if (json) {
            ObjectNode object = object(role, principal);
            object.set("created", AclText.json(report.created()));
            object.set("existing", AclText.json(report.existing()));
            terminal.print(ShownJson.pretty(object));
        } else {
            AclText.lines(report.created()).forEach(line -> terminal.print("created " + line));
            terminal.print(report.created().size() + " ACLs created for " + principal + " as " + role.text() + ", "
                    + report.existing().size() + " were there already");
        }
    }

    private static ObjectNode object(Role role, String principal) {
        return Json.MAPPER.createObjectNode().put("role", role.text()).put("principal", principal);
    }
}
