package dev.toolfleet.bench.load;

import java.util.Optional;

import dev.toolfleet.wire.InstanceLabel;

/// Promise of a run's tool, which decides what the fleet may do with its calls.
public enum Kind {
    /// May run beside its like, and again.
    READ_ONLY("read", false, Optional.of(InstanceLabel.UNTRUSTED)),
    /// Runs alone, may run again.
    IDEMPOTENT("put", true, Optional.of(InstanceLabel.SENSITIVE)),
    /// Runs alone and at most once.
    ONCE("append", true, Optional.empty());

    /// The Tool whose exports these are.
    public static final String TOOL = "bench";
    /// Before the names of the exports whose calls need approval.
    public static final String ASKED = "asked-";

    private final String export;
    private final boolean exclusive;
    private final Optional<String> adds;

    Kind(String export, boolean exclusive, Optional<String> adds) {
        this.export = export;
        this.exclusive = exclusive;
        this.adds = adds;
    }

    /// The export's name.
    public String export() {
        return export;
    }

    /// Name of the tool in a call.
    public String toolName() {
        return TOOL + "__" + export;
    }

    /// The name of the export whose calls need approval.
    public String askedExport() {
        return ASKED + export;
    }

    /// The tool name of a call that needs approval.
    public String askedToolName() {
        return TOOL + "__" + askedExport();
    }

    /// The label that results of [#export] add in a run with labels.
    public Optional<String> adds() {
        return adds;
    }

    /// True if calls of [#export] can carry data out in a run with labels.
    public boolean sends() {
        return adds.isEmpty();
    }

    /// True if its calls run alone in their instance.
    public boolean exclusive() {
        return exclusive;
    }
}
