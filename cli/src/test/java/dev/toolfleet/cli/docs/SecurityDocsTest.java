package dev.toolfleet.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import dev.toolfleet.client.access.FleetNames;
import dev.toolfleet.client.access.Role;
import dev.toolfleet.client.access.RoleAcls;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.SecurityUtils;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// `docs/security.md` says of each role what the code gives it.
class SecurityDocsTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "security.md");

    @Test
    void theRolesAreThoseOfTheCode() throws IOException {
        assertThat(rows("role")).containsExactlyElementsOf(Arrays.stream(Role.values())
                .map(role -> "| `" + role.text() + "` | " + role.purpose() + " |").toList());
    }

    @Test
    void whatARoleMayDoOnEachTopicIsWhatTheCodeSays() throws IOException {
        List<String> expected = new ArrayList<>();
        for (Topic topic : Topic.values()) {
            expected.add("| `" + topic.baseName() + "` |" + Arrays.stream(Role.values())
                    .map(role -> (" " + cell(role, topic)).stripTrailing()).collect(Collectors.joining(" |")) + " |");
        }

        assertThat(rows("topic")).containsExactlyElementsOf(expected);
    }

    @Test
    void whatARoleNeedsBesideTopicsIsWhatTheCodeSays() throws IOException {
        List<String> expected = new ArrayList<>();
        for (Role role : Role.values()) {
            others(role).forEach((resource, operations) -> expected.add("| `" + role.text() + "` | " + resource + " | "
                    + String.join(", ", operations) + " |"));
        }

        assertThat(rows("of")).containsExactlyElementsOf(expected);
    }

    private static Map<String, List<String>> others(Role role) {
        Map<String, List<String>> others = new LinkedHashMap<>();
        for (AclBinding acl : RoleAcls.of(role, "User:x", new FleetNames(new Topics(""), "GROUP", "APPLICATION",
                "GATEWAY", "SESSION"),
                List.of())) {
            boolean literalTopic = acl.pattern().resourceType() == ResourceType.TOPIC
                    && acl.pattern().patternType() == PatternType.LITERAL;
            if (!literalTopic)
                others.computeIfAbsent(resource(acl), key -> new ArrayList<>())
                        .add(SecurityUtils.operationName(acl.entry().operation()));
        }
        return others;
    }

    private static String resource(AclBinding acl) {
        String type = acl.pattern().resourceType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return type + " `" + acl.pattern().name() + (acl.pattern().patternType() == PatternType.PREFIXED ? "*" : "")
                + "`";
    }

    private static String cell(Role role, Topic topic) {
        List<String> may = new ArrayList<>();
        if (role.reads().contains(topic))
            may.add("R");
        if (role.writes().contains(topic))
            may.add("W");
        if (role.sees().contains(topic))
            may.add("D");
        if (role == Role.DEPLOYER)
            may.add("C");
        return String.join(" ", may);
    }

    /// The rows of the table whose first column is called so, single blanks between all words.
    private static List<String> rows(String firstColumn) throws IOException {
        List<String> lines = Files.readAllLines(DOCUMENT);
        int head = 0;
        while (!lines.get(head).startsWith("| " + firstColumn + " |"))
            head++;
        return lines.subList(head + 2, lines.size()).stream().takeWhile(line -> line.startsWith("|"))
                .map(line -> line.replaceAll(" +", " ")).toList();
    }
}
