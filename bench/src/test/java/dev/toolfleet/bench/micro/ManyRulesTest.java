package dev.toolfleet.bench.micro;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.policy.Policy;
import dev.toolfleet.policy.PolicyDecision;
import dev.toolfleet.policy.PolicyQuery;
import dev.toolfleet.policy.Stage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ManyRulesTest {
    private final ManyRules load = new ManyRules(500, 17);

    @Test
    void thereAreAsManyRulesAsAskedForAndAllCanBeRead() {
        assertThat(load.resources().bundles().values().stream().flatMap(bundle -> bundle.policies().values().stream())
                .mapToInt(policy -> policy.rules().size()).sum()).isEqualTo(500);
        assertThat(load.resources().bundles().values()).allMatch(bundle -> bundle.problems().isEmpty());
    }

    /// Else it would measure something easier than fleets have.
    @Test
    void callsComeToEveryVerdictAndThroughMostStages() {
        Policy policy = Policy.compile(load.resources());
        Set<String> verdicts = new TreeSet<>();
        Set<Stage> speaking = EnumSet.noneOf(Stage.class);
        List<PolicyQuery> queries = load.queries(1024);
        for (PolicyQuery query : queries) {
            PolicyDecision decision = policy.decide(query, Instant.EPOCH);
            verdicts.add(decision.verdict().getClass().getSimpleName());
            decision.stages().stream().filter(stage -> stage.said().isPresent())
                    .forEach(stage -> speaking.add(stage.stage()));
        }

        assertThat(verdicts).containsExactly("Allowed", "ApprovalRequired", "Denied");
        assertThat(speaking).hasSizeGreaterThanOrEqualTo(7);
        assertThat(queries.stream().map(PolicyQuery::tool).distinct().count()).isGreaterThan(25);
    }
}
