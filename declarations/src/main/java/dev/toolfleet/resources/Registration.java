package dev.toolfleet.resources;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolRef;

/// Tools that one owner has registered, as one whole revision with a lease. Immutable, unless a caller changes the JSON
/// inside.
public final class Registration {
    /// The largest difference between the clocks of the fleet's processes: a registration still counts this long after
    /// its lease.
    public static final Duration CLOCK_SKEW = Duration.ofSeconds(5);

    private final RegistrationOwner owner;
    private final ResourceRecord mark;
    private final SortedMap<String, ResourceRecord> records;
    private final Map<String, ToolSpec> tools;
    private final List<String> problems;

    private Registration(RegistrationOwner owner, ResourceRecord mark, SortedMap<String, ResourceRecord> records,
            Map<String, ToolSpec> tools, List<String> problems) {
        this.owner = owner;
        this.mark = mark;
        this.records = records;
        this.tools = tools;
        this.problems = problems;
    }

    /// Reads a *revision active* record and the records of its revision.
    ///
    /// @param records by the tool's full name
    /// @throws IllegalArgumentException when the mark names no owner, or another one than its key
    static Registration of(ResourceRecord mark, Map<String, ResourceRecord> records) {
        RegistrationOwner owner = RegistrationOwner.of(mark.source().type(),
                mark.resource().path("spec").path("owner"));
        if (!owner.namespace().equals(mark.bundle()))
            throw new IllegalArgumentException("the registration " + mark.bundle() + " names the owner "
                    + owner.namespace());
        SortedMap<String, ToolSpec> tools = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        SortedMap<String, ResourceRecord> sorted = new TreeMap<>(records);
        sorted.forEach((name, record) -> {
            try {
                tools.put(name, RegisteredTools.read(record.resource()));
            } catch (InvalidResourceException e) {
                problems.add(owner + ": " + e.getMessage());
            }
        });
        return new Registration(owner, mark, Collections.unmodifiableSortedMap(sorted),
                Collections.unmodifiableMap(tools), List.copyOf(problems));
    }

    /// Returns the same tools under a renewed lease.
    Registration renewed(ResourceRecord renewal) {
        return new Registration(owner, renewal, records, tools, problems);
    }

    /// Returns the owner of the tools.
    public RegistrationOwner owner() {
        return owner;
    }

    /// Returns the revision, which grows with each change of the tools.
    public long revision() {
        return mark.revision();
    }

    /// Returns the end of the lease; the epoch when the writer left it out.
    public Instant lease() {
        Instant lease = mark.lease();
        return lease == null ? Instant.EPOCH : lease;
    }

    /// True if the tools may be shown and called, by a clock that is at most [#CLOCK_SKEW] off.
    public boolean isLive(Instant now) {
        return !now.isAfter(lease().plus(CLOCK_SKEW));
    }

    /// Returns the worker that renewed it last.
    public String worker() {
        return mark.resource().path("spec").path("worker").asString("");
    }

    /// Returns the tools by their full names, in the order of these, without unreadable ones. Each is a Tool of one
    /// export.
    public Map<String, ToolSpec> tools() {
        return tools;
    }

    /// Returns the tool of a reference.
    public Optional<DeclaredTool> tool(String tool, String export) {
        return Optional.ofNullable(tools.get(new ToolName(tool, export).toString())).map(this::declared);
    }

    /// The tool that models call by this name.
    public Optional<ToolRef> called(String fullName) {
        return Optional.ofNullable(tools.get(fullName))
                .map(tool -> new ToolRef(owner.namespace(), tool.name(), tool.exports().getFirst().name()));
    }

    /// Returns the problems of unreadable tools, one sentence each; for the log.
    public List<String> problems() {
        return problems;
    }

    DeclaredTool declared(ToolSpec spec) {
        return new DeclaredTool(owner.namespace(), revision(), spec, Map.of(), owner.source());
    }

    /// Returns the records by the tools' full names, unreadable ones too.
    public SortedMap<String, ResourceRecord> records() {
        return records;
    }
}
