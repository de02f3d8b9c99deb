package dev.toolfleet.bundle;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What an export says of itself and a rule can select by.
public enum ToolFlag {
    /// A person has to approve each call.
    REQUIRES_APPROVAL("requiresApproval"),
    /// Moves money or goods.
    IS_TRANSACTIONAL("isTransactional"),
    /// Touches what is nobody's business.
    ACCESSES_SENSITIVE_DATA("accessesSensitiveData"),
    /// Changes nothing.
    READ_ONLY("readOnly"),
    /// Twice is once.
    IDEMPOTENT("idempotent"),
    /// May destroy.
    DESTRUCTIVE("destructive"),
    /// Reaches beyond the fleet.
    OPEN_WORLD("openWorld");

    private final String text;

    ToolFlag(String text) {
        this.text = text;
    }

    /// As exports write it.
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

    /// What the export says.
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
        return flags;
    }

    private static void put(Set<ToolFlag> flags, ToolFlag flag, boolean declared) {
        if (declared)
            flags.add(flag);
    }
}
