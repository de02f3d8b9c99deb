package dev.toolfleet.wire;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/// Place of an amount that was spent of a budget: all that its reserved key on `tool.journal` names. The owner of the
/// amount is an instance, a turn of one, or an agent or user on one day.
///
/// @param budget `bundle/name`; a bundle's name may have a scope, as in `@scope/bundle/name`
/// @param unit `calls` or `cost`
/// @param turn digest of agent and turn; null for any other owner
/// @param call digest of the call, for an amount that is not in the total yet; null for the total
/// @param instanceKey the instance; null for an agent or user
/// @param day the agent or user; null for an instance or turn
public record BudgetPlace(String budget, String unit, @Nullable String turn, @Nullable String call,
        @Nullable String instanceKey, @Nullable Day day) {
    private static final String PREFIX = "@budget/";
    private static final String NONE = "-";
    /// Unit, bundle, name, turn or day, call and owner; only the owner may hold a slash.
    private static final int PARTS = 6;
    private static final String SCOPE = "@";
    private static final Pattern BUDGET = Pattern.compile("(?:@[^/]+/[^/]+|[^/@][^/]*)/[^/]+");

    /// Agent or user on one day.
    ///
    /// @param per the kind of owner
    /// @param date in UTC
    /// @param name of the agent or user; empty for calls that name none
    public record Day(Per per, LocalDate date, String name) {
        /// Kind of owner.
        public enum Per {
            /// An agent, by its name.
            AGENT,
            /// A user, by the id that the runtime gives.
            USER;

            /// Returns its form in keys and records.
            public String text() {
                return name().toLowerCase(Locale.ROOT);
            }

            /// Returns the kind with this form; empty for none.
            public static Optional<Per> of(String text) {
                return text.equals("agent")
                        ? Optional.of(AGENT)
                        : Optional.of(USER).filter(user -> text.equals("user"));
            }
        }

        private String part() {
            return per.text() + ":" + date;
        }

        private static @Nullable Day of(String part, String name) {
            int colon = part.indexOf(':');
            Optional<Per> per = colon < 0 ? Optional.empty() : Per.of(part.substring(0, colon));
            try {
                return per.isEmpty() ? null : new Day(per.get(), LocalDate.parse(part.substring(colon + 1)), name);
            } catch (DateTimeParseException e) {
                return null;
            }
        }
    }

    /// Place of an amount on `tool.budget`.
    ///
    /// @param partition of `tool.call`
    /// @param budget its place on the journal
    public record InPartition(int partition, BudgetPlace budget) {
        /// Reads a key of the topic; empty for a key of another record.
        public static Optional<InPartition> of(String key) {
            int slash = key.indexOf('/');
            if (slash < 1 || !key.chars().limit(slash).allMatch(c -> c >= '0' && c <= '9') || slash > 9)
                return Optional.empty();
            return BudgetPlace.of(key.substring(slash + 1)).filter(place -> place.day() != null)
                    .map(place -> new InPartition(Integer.parseInt(key.substring(0, slash)), place));
        }

        /// Returns the record's key: the partition, and the key of the entry on the journal.
        public String key() {
            return partition + "/" + budget.key();
        }
    }

    /// Checks that there is one owner.
    public BudgetPlace {
        if ((instanceKey == null) == (day == null))
            throw new IllegalArgumentException("an amount belongs either to an instance or to an agent or user, got '"
                    + instanceKey + "' and " + day);
        if (turn != null && day != null)
            throw new IllegalArgumentException("an amount of a day has no turn, got " + turn);
    }

    /// Place of an amount of an instance or turn.
    public BudgetPlace(String budget, String unit, @Nullable String turn, @Nullable String call, String instanceKey) {
        this(budget, unit, turn, call, instanceKey, null);
    }

    /// Reads a reserved key of the journal; empty for any other key.
    public static Optional<BudgetPlace> of(String key) {
        if (!key.startsWith(PREFIX))
            return Optional.empty();
        String rest = key.substring(PREFIX.length());
        // A bundle's scope is a part more.
        int scope = rest.startsWith(SCOPE, rest.indexOf('/') + 1) ? 1 : 0;
        String[] parts = rest.split("/", PARTS + scope);
        if (parts.length < PARTS + scope)
            return Optional.empty();
        String budget = String.join("/", List.of(parts).subList(1, 3 + scope));
        String turn = parts[3 + scope];
        String call = parts[4 + scope];
        String owner = parts[5 + scope];
        Day day = Day.of(turn, owner);
        return Optional.of(day == null
                ? new BudgetPlace(budget, parts[0], named(turn), named(call), owner)
                : new BudgetPlace(budget, parts[0], null, named(call), null, day));
    }

    /// True for the name of a budget: a bundle, which may have a scope, and a name.
    static boolean isBudget(String text) {
        return BUDGET.matcher(text).matches();
    }

    private static @Nullable String named(String part) {
        return part.equals(NONE) ? null : part;
    }

    /// Returns the reserved key. No call's identity equals it: those are JSON arrays.
    public String key() {
        return PREFIX + unit + "/" + budget + "/"
                + (day == null ? (turn == null ? NONE : turn) : day.part()) + "/" + (call == null ? NONE : call) + "/"
                + (day == null ? instanceKey : day.name());
    }

    /// Returns the place of the total.
    public BudgetPlace total() {
        return call == null ? this : beside(null);
    }

    /// Returns the place of an amount beside this total; of the total for null.
    public BudgetPlace beside(@Nullable String digest) {
        return new BudgetPlace(budget, unit, turn, digest, instanceKey, day);
    }
}
