package dev.toolfleet.bundle;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.ToolExport.ExportPolicy;

/// Flag of an export that a rule can select by.
public enum ToolFlag {
    /// Each call requires approval.
    REQUIRES_APPROVAL("requiresApproval"),
    /// Moves money or goods.
    IS_TRANSACTIONAL("isTransactional"),
    /// Accesses sensitive data.
    ACCESSES_SENSITIVE_DATA("accessesSensitiveData"),
    /// Changes nothing.
    READ_ONLY("readOnly"),
    /// A second run changes nothing more.
    IDEMPOTENT("idempotent"),
    /// May destroy.
    DESTRUCTIVE("destructive"),
    /// Reaches beyond the fleet.
    OPEN_WORLD("openWorld"),
    /// Can carry data out of the fleet.
    SENDS("sends");

    private final String text;

    ToolFlag(String text) {
        this.text = text;
    }

    /// Returns its text in exports.
    public String text() {
        return text;
    }

    /// The flag of that text.
    public static Optional<ToolFlag> parse(String text) {
        return Arrays.stream(values()).filter(flag -> flag.text.equals(text)).findFirst();
    }

    /// All texts.
    public static List<String> texts() {
        return Arrays.stream(values()).map(ToolFlag::text).toList();
    }

    /// Returns the flags of an export.
    public static Set<ToolFlag> of(ToolExport export) {
        ExportPolicy policy = export.policy();
        ToolAnnotations says = export.annotations();
        EnumSet<ToolFlag> flags = EnumSet.noneOf(ToolFlag.class);
        put(flags, REQUIRES_APPROVAL, policy.requiresApproval());
        put(flags, IS_TRANSACTIONAL, policy.isTransactional());
        put(flags, ACCESSES_SENSITIVE_DATA, policy.accessesSensitiveData());
        put(flags, READ_ONLY, says.readOnly());
        put(flags, IDEMPOTENT, says.idempotent());
        put(flags, DESTRUCTIVE, says.destructive());
        put(flags, OPEN_WORLD, says.openWorld());
        put(flags, SENDS, policy.sends());
        return flags;
    }

    private static void put(Set<ToolFlag> flags, ToolFlag flag, boolean declared) {
        if (declared)
            flags.add(flag);
    }
}
