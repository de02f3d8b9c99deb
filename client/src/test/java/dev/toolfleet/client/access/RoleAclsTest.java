package dev.toolfleet.client.access;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RoleAclsTest {
    private static final FleetNames NAMES = new FleetNames(new Topics("acme.eu."), "acme.eu.crew", "acme.eu.cat",
            "acme.eu.gate", "acme.eu.sess");

    @Test
    void whatOnlyTheFleetSaysNobodyElseCanWrite() {
        assertThat(writers(Topic.CALL_RESUMED)).containsExactly(Role.WORKER);
        assertThat(writers(Topic.RESULT)).containsExactly(Role.WORKER);
        assertThat(writers(Topic.JOURNAL)).containsExactly(Role.WORKER);
        assertThat(writers(Topic.PENDING)).containsExactly(Role.WORKER);
        assertThat(writers(Topic.CATALOG_STEP)).containsExactly(Role.CATALOG);
        assertThat(writers(Topic.CATALOG_CONTENT)).containsExactly(Role.CATALOG);
        assertThat(writers(Topic.SESSION_STATE)).containsExactly(Role.SESSION);
        assertThat(writers(Topic.RESOURCE)).containsExactlyInAnyOrder(Role.WORKER, Role.DEPLOYER, Role.OPERATOR);
    }

    @Test
    void callingCompletingAndApprovingAreThreeRights() {
        // The session service calls summarisers.
        assertThat(writers(Topic.CALL)).containsExactlyInAnyOrder(Role.RUNTIME, Role.GATEWAY, Role.SESSION);
        assertThat(writers(Topic.COMPLETION)).containsExactlyInAnyOrder(Role.TOOL, Role.GATEWAY);
        // Workers resume calls that waited for a grant.
        assertThat(writers(Topic.DECISION)).containsExactlyInAnyOrder(Role.APPROVER, Role.GATEWAY,
                Role.WORKER);
    }

    @Test
    void everyTopicHasSomebodyWhoWritesItAndSomebodyWhoReadsIt() {
        for (Topic topic : Topic.values()) {
            assertThat(writers(topic)).as(topic.baseName()).isNotEmpty();
            assertThat(roles(Role::reads, topic)).as(topic.baseName()).isNotEmpty();
        }
    }

    @Test
    void whatNoGuardHasSeenIsReadByWorkersAlone() {
        for (Topic raw : EnumSet.of(Topic.COMPLETION, Topic.CALL_RESUMED))
            assertThat(roles(Role::reads, raw)).containsExactly(Role.WORKER);
    }

    @Test
    void theTokensOfAgentsRequestsAreForThoseWhoAnswer() {
        assertThat(roles(Role::reads, Topic.AGENT_EVENT)).containsExactlyInAnyOrder(Role.RUNTIME, Role.WORKER);
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void everyRightIsOfThisFleetAndOfThisPrincipal(Role role) {
        List<AclBinding> acls = acls(role, NAMES);

        assertThat(acls).doesNotHaveDuplicates().allSatisfy(acl -> {
            assertThat(acl.entry().principal()).isEqualTo("User:x");
            assertThat(acl.entry().permissionType()).isEqualTo(AclPermissionType.ALLOW);
            assertThat(acl.entry().operation()).isNotIn(AclOperation.ALL, AclOperation.ALTER,
                    AclOperation.ALTER_CONFIGS);
            assertThat(acl.pattern().resourceType()).isNotEqualTo(ResourceType.CLUSTER);
        });
        assertThat(acls).filteredOn(acl -> acl.entry().operation() != AclOperation.DESCRIBE
                || acl.pattern().resourceType() == ResourceType.TOPIC)
                .allSatisfy(acl -> assertThat(acl.pattern().name()).startsWith("acme.eu."));
        assertThat(acls).as("of a whole family only where names are made up by processes")
                .filteredOn(acl -> acl.pattern().patternType() == PatternType.PREFIXED)
                .extracting(acl -> acl.pattern().name()).isSubsetOf("acme.eu.crew.", "acme.eu.crew-completions-",
                        "acme.eu.crew-oauth-", "acme.eu.cat-", "acme.eu.gate-", "acme.eu.sess-",
                        "acme.eu.tool.resource.apply.");
    }

    @Test
    void aWorkerAsksForEveryGroupThatATransactionalIdOfItsOwnCouldBelongTo() {
        assertThat(groups(NAMES)).containsExactlyInAnyOrder("READ LITERAL acme.eu.crew", "DESCRIBE LITERAL acme",
                "DESCRIBE LITERAL acme.eu", "DESCRIBE PREFIXED acme.eu.crew.",
                "READ LITERAL acme.eu.crew-completions", "READ LITERAL acme.eu.crew-oauth");
        assertThat(groups(new FleetNames(new Topics(""), "toolfleet", "toolfleet.catalog",
                "toolfleet.gateway", "toolfleet.session"))).containsExactlyInAnyOrder(
                        "READ LITERAL toolfleet", "DESCRIBE PREFIXED toolfleet.", "READ LITERAL toolfleet-completions",
                        "READ LITERAL toolfleet-oauth");
    }

    @Test
    void aGroupOfOnesOwnIsANameOrABeginning() {
        assertThat(OwnGroup.of("chat")).isEqualTo(new OwnGroup("chat", PatternType.LITERAL));
        assertThat(OwnGroup.of("chat-*")).isEqualTo(new OwnGroup("chat-", PatternType.PREFIXED));
        assertThat(OwnGroup.of("chat").covers("chat-1")).isFalse();
        assertThat(OwnGroup.of("chat-*").covers("chat-1")).isTrue();
        for (String nothing : List.of("", "*", " *", "a*b", "**"))
            assertThatThrownBy(() -> OwnGroup.of(nothing)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + nothing + "'");
    }

    private static List<String> groups(FleetNames names) {
        return acls(Role.WORKER, names).stream().filter(acl -> acl.pattern().resourceType() == ResourceType.GROUP)
                .map(acl -> acl.entry().operation() + " " + acl.pattern().patternType() + " " + acl.pattern().name())
                .toList();
    }

    private static List<AclBinding> acls(Role role, FleetNames names) {
        return RoleAcls.of(role, "User:x", names, List.of());
    }

    private static Set<Role> writers(Topic topic) {
        return roles(Role::writes, topic);
    }

    private static Set<Role> roles(Function<Role, Set<Topic>> topics, Topic topic) {
        return Arrays.stream(Role.values()).filter(role -> topics.apply(role).contains(topic))
                .collect(Collectors.toSet());
    }
}
