package dev.toolfleet.cli.access;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.access.Commands.Outcome;
import dev.toolfleet.client.access.Role;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// The command `topics acl`: what it creates, says and refuses.
@EmbeddedKafkaTest
@ExtendWith(SecuredFleetExtension.class)
@ResourceLock("SecuredFleet")
class TopicsAclIT {
    private final SecuredFleet fleet;
    private final Commands admin;
    private final KafkaFixture open;

    TopicsAclIT(SecuredFleet fleet, KafkaFixture open) {
        this.fleet = fleet;
        this.admin = fleet.as(SecuredFleet.SUPER_USER);
        this.open = open;
    }

    @Test
    void whatIsThereIsLeftAlone() throws Exception {
        String[] twice = {"topics", "acl", "--role", "tool", "--principal", "User:farm"};
        assertThat(admin.succeeds(twice)).contains("created Write on topic acme.tool.completion",
                "1 ACLs created for User:farm as tool, 0 were there already");
        awaitAcls("User:farm", 1);
        assertThat(admin.succeeds(twice)).contains("0 ACLs created for User:farm as tool, 1 were there already");

        String more = admin.succeeds("topics", "acl", "--role", "analyst", "--principal", "User:farm", "--group",
                "farm-*", "--json");

        JsonNode json = Json.MAPPER.readTree(more);
        assertThat(json.path("role").stringValue()).isEqualTo("analyst");
        assertThat(json.path("existing").size()).isZero();
        assertThat(json.path("created").toString()).contains("{\"resourceType\":\"Group\",\"name\":\"farm-\","
                + "\"patternType\":\"Prefixed\",\"operation\":\"Read\"}");
        awaitAcls("User:farm", json.path("created").size() + 1);
    }

    @Test
    void aDryRunAsksNoBrokerAndCreatesNothing() throws Exception {
        String[] worker = {"topics", "acl", "--role", "worker", "--principal", "User:CN=w o,O=acme", "--dry-run",
                "--set", "topics.prefix=shop."};
        String servers = "--set=kafka.bootstrapServers=no-broker.invalid:1";
        assertThat(admin.succeeds(with(worker, servers)).lines()).contains(
                "kafka-acls.sh --bootstrap-server no-broker.invalid:1 --add --allow-principal 'User:CN=w o,O=acme'"
                        + " --operation Read --operation Write --operation DescribeConfigs"
                        + " --topic shop.tool.call.resumed",
                "kafka-acls.sh --bootstrap-server no-broker.invalid:1 --add --allow-principal 'User:CN=w o,O=acme'"
                        + " --operation Write --transactional-id shop.toolfleet. --resource-pattern-type prefixed",
                "kafka-acls.sh --bootstrap-server no-broker.invalid:1 --add --allow-principal 'User:CN=w o,O=acme'"
                        + " --operation Describe --group shop");
        JsonNode json = Json.MAPPER.readTree(admin.succeeds(with(worker, "--json", "--set", "worker.group.id=crew")));
        assertThat(json.path("acls").toString())
                .contains("\"name\":\"crew-completions-\"", "\"name\":\"shop.tool.call\"").doesNotContain("acme.");
        assertThat(acls("User:CN=w o,O=acme")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            admin   | User:x | root | there is no role 'admin'; there are runtime, tool, approver, analyst, operator
            runtime | bob    | g    | the principal 'bob' is not allowed
            runtime | User:* | g    | is everybody
            runtime | User:x | *    | the group '*' is not allowed
            runtime | User:x | acme.toolfleet | covers the group acme.toolfleet, in which the fleet's own
            analyst | User:x | acme.* | covers the group acme.toolfleet, in which
            runtime | User:x | acme.toolfleet.catalog | covers the group acme.toolfleet.catalog
            tool    | User:x | mine | has no group of its own (--group mine)""")
    void whatCannotBeMeantIsRefused(String role, String principal, String group, String why) throws Exception {
        Outcome outcome = admin.run("topics", "acl", "--role", role, "--principal", principal, "--group", group);

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains(why);
        assertThat(acls("User:x")).isEmpty();
    }

    @Test
    void brokersThatCannotOrDoNotLetItSaySo() {
        Commands anybody = new Commands(Map.of("TOOLFLEET_KAFKA_BOOTSTRAPSERVERS", open.bootstrapServers()));
        Outcome without = anybody.run("topics", "acl", "--role", "tool", "--principal", "User:x");
        assertThat(without.code()).isEqualTo(1);
        assertThat(without.err()).contains("have no authorizer",
                "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer");

        Outcome denied = fleet.as("operator").run("topics", "acl", "--role", "approver", "--principal",
                "User:operator");
        assertThat(denied.code()).isEqualTo(1);
        assertThat(denied.err()).contains("this login may not create ACLs", "super.users", "Describe and Alter");

        Outcome nobody = fleet.as(SecuredFleet.NOBODY).run("handles");
        assertThat(nobody.code()).isEqualTo(1);
        assertThat(nobody.err()).contains("does not allow it", "[acme.tool.result]", "toolfleet topics acl");

        Map<String, String> wrong = new HashMap<>(fleet.as("tool").environment());
        wrong.computeIfPresent("TOOLFLEET_KAFKA_PROPERTIES_SASL_JAAS_CONFIG",
                (key, login) -> login.replace("tool-secret", "guess"));
        Outcome stranger = new Commands(wrong).run("topics", "acl", "--role", "tool", "--principal", "User:x");
        assertThat(stranger.code()).isEqualTo(1);
        assertThat(stranger.err()).contains("refused the login").doesNotContain("guess");
    }

    @Test
    void helpListsEveryRole() {
        String help = admin.succeeds("topics", "acl", "--help").replaceAll("\\s+", " ");
        for (Role role : Role.values())
            assertThat(help).contains(" " + role.text() + " " + role.purpose());
    }

    private static String[] with(String[] arguments, String... more) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    /// The controller acknowledges a rule before the broker goes by it.
    private void awaitAcls(String principal, int count) {
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(acls(principal)).hasSize(count));
    }

    private List<AclBinding> acls(String principal) throws Exception {
        try (Admin client = Admin.create(fleet.properties(SecuredFleet.SUPER_USER))) {
            return List.copyOf(client.describeAcls(new AclBindingFilter(ResourcePatternFilter.ANY,
                    new AccessControlEntryFilter(principal, null, AclOperation.ANY, AclPermissionType.ANY)))
                    .values().get(60, TimeUnit.SECONDS));
        }
    }
}
