package dev.toolfleet.bench.load;

/// What a tool of the run says of itself, and so what the fleet may do with its calls.
public enum Kind {
    /// May run beside its like, and again.
    READ_ONLY("read", false),
    /// Runs alone, may run again.
    IDEMPOTENT("put", true),
    /// Runs alone and at most once.
    ONCE("append", true);

    /// The Tool whose exports these are.
    public static final String TOOL = "bench";

    private final String export;
    private final boolean exclusive;

    Kind(String export, boolean exclusive) {
        this.export = export;
        this.exclusive = exclusive;
    }

    /// The export's name.
    public String export() {
        return export;
    }

    /// What a call names.
    public String toolName() {
        return TOOL + "__" + export;
    }

    /// Whether its calls run alone in their instance.
    public boolean exclusive() {
        return exclusive;
    }
}
