package dev.toolfleet.bundle;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.ArgCondition.Outcome;
import tools.jackson.databind.JsonNode;

/// Conditions of a rule on the arguments of a call (`when.args`). They count together.
///
/// **Contract.** The conditions are not met when one of them is not met, whatever the others are; else undecided when
/// one is undecided; else met. A rule that allows counts only when its conditions are met. A rule that denies or
/// requires approval counts unless they are not met. So a missing argument, or one of another type, never opens
/// anything.
///
/// **Why.** A tool may read "5000" as a number, and have a default for a missing value. Otherwise: a rule denies
/// amounts above 1,000, the model sends the text "5000", the rule does not count, and the tool pays 5,000.
///
/// @param all in the order in which they are written; none for a rule without conditions
public record ArgConditions(List<ArgCondition> all) {
    /// The fields of `when`.
    public static final Set<String> FIELDS = Set.of("args", "labels");
    /// The most conditions.
    public static final int MOST = 20;
    /// No conditions: any arguments.
    public static final ArgConditions NONE = new ArgConditions(List.of());

    /// Copies the list.
    public ArgConditions {
        all = List.copyOf(all);
    }

    static ArgConditions of(ResourceJson when) {
        if (when.node().isMissingNode())
            return NONE;
        when.known(FIELDS);
        ResourceJson args = when.get("args");
        if (args.node().isMissingNode() && when.get("labels").present())
            return NONE;
        if (!args.node().isArray() || args.node().isEmpty() || args.node().size() > MOST)
            throw args.wrong("a list of 1 to " + MOST + " conditions, such as {path: /amount, lessThan: 1000}");
        return new ArgConditions(args.list(ArgConditions::condition));
    }

    private static ArgCondition condition(ResourceJson json) {
        return switch (ParsedCondition.of(json.node())) {
            case ParsedCondition.Usable usable -> usable.condition();
            case ParsedCondition.Faulty faulty -> throw (faulty.key() == null ? json : json.get(faulty.key()))
                    .wrong("a condition that can be used; it " + faulty.problem());
        };
    }

    /// True if there is no condition.
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /// Checks the arguments of a call.
    public Outcome check(JsonNode arguments) {
        Outcome outcome = Outcome.MET;
        for (ArgCondition condition : all) {
            Outcome one = condition.check(arguments);
            if (one == Outcome.NOT_MET)
                return one;
            if (one == Outcome.UNDECIDED)
                outcome = one;
        }
        return outcome;
    }

    /// True if a rule of that verdict counts when its conditions have that outcome.
    public static boolean counts(Verdict verdict, Outcome outcome) {
        return outcome == Outcome.MET || (outcome == Outcome.UNDECIDED && verdict != Verdict.ALLOW);
    }

    /// True if all arguments that meet the other conditions meet these: the others include each of these.
    public boolean covers(ArgConditions other) {
        return other.all.containsAll(all);
    }

    /// Returns their canonical form; empty when there are none.
    @Override
    public String toString() {
        return all.stream().map(ArgCondition::text).collect(Collectors.toCollection(TreeSet::new)).stream()
                .collect(Collectors.joining(" and "));
    }
}
