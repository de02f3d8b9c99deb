package dev.toolfleet.resources;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.resources.RevisionPlan.Entry;
import dev.toolfleet.wire.ResourceRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Plan of the one live writer for `tool.resource`: it sets an owner's tools and renews their lease. With unchanged
/// tools it is the *revision active* record alone, else all tools as the next revision, and tombstones when none is
/// left. The entries of a plan go out in one Kafka transaction.
///
/// @param owner of the tools
/// @param entries to send
/// @param after the readers' view then; empty when nothing is left
public record RegistrationPlan(RegistrationOwner owner, List<Entry> entries, Optional<Registration> after) {
    /// Copies the entries.
    public RegistrationPlan {
        entries = List.copyOf(entries);
    }

    /// Lease of an owner's tools, with its end and its writer.
    ///
    /// @param now of the writer; also the least revision, so that a registration that was removed and comes back never
    ///        reuses a number
    public record Lease(RegistrationOwner owner, Instant now, Instant until, String worker) {}

    /// Returns the plan that gives an owner these tools.
    ///
    /// @param before the present state of the topic
    /// @param tools by their names
    public static RegistrationPlan of(Lease lease, Optional<Registration> before,
            Map<String, ToolDeclaration> tools) {
        SortedMap<String, ResourceRecord> old = before.map(Registration::records).orElse(new TreeMap<>());
        if (tools.isEmpty())
            return removing(lease.owner(), before.isPresent() ? old : new TreeMap<>(), before.isPresent());
        long revision = before.map(Registration::revision).orElse(0L);
        SortedMap<String, ResourceRecord> same = records(lease.owner(), revision, tools);
        if (before.isPresent() && same(old, same)) {
            ResourceRecord mark = RevisionMark.of(lease, revision, tools.size());
            return new RegistrationPlan(lease.owner(), List.of(new Entry(RevisionMark.key(mark.bundle()), mark)),
                    Optional.of(before.get().renewed(mark)));
        }
        long next = Math.max(revision + 1, lease.now().toEpochMilli());
        SortedMap<String, ResourceRecord> fresh = records(lease.owner(), next, tools);
        ResourceRecord mark = RevisionMark.of(lease, next, fresh.size());
        List<Entry> entries = new ArrayList<>();
        fresh.values().forEach(record -> entries.add(new Entry(ResourceKey.of(record), record)));
        old.keySet().stream().filter(name -> !fresh.containsKey(name))
                .forEach(name -> entries.add(new Entry(key(lease.owner(), name), null)));
        entries.add(new Entry(RevisionMark.key(mark.bundle()), mark));
        return new RegistrationPlan(lease.owner(), entries, Optional.of(Registration.of(mark, fresh)));
    }

    /// Returns the declaration under a tool's name.
    ///
    /// @return null when the registration has no such tool
    public static @Nullable ToolDeclaration declared(Registration registration, String name) {
        ResourceRecord record = registration.records().get(name);
        return record != null && record.resource().path("spec").path("exports").path(0) instanceof ObjectNode export
                ? new ToolDeclaration(name, export)
                : null;
    }

    private static RegistrationPlan removing(RegistrationOwner owner, SortedMap<String, ResourceRecord> old,
            boolean marked) {
        List<Entry> entries = new ArrayList<>();
        if (marked)
            entries.add(new Entry(RevisionMark.key(owner.namespace()), null));
        old.keySet().forEach(name -> entries.add(new Entry(key(owner, name), null)));
        return new RegistrationPlan(owner, entries, Optional.empty());
    }

    private static SortedMap<String, ResourceRecord> records(RegistrationOwner owner, long revision,
            Map<String, ToolDeclaration> tools) {
        SortedMap<String, ResourceRecord> records = new TreeMap<>();
        tools.forEach((name, tool) -> records.put(name, RegisteredTools.record(owner, revision, tool)));
        return records;
    }

    private static String key(RegistrationOwner owner, String name) {
        return ResourceRecord.key(owner.namespace(), Kinds.TOOL, name);
    }

    private static boolean same(SortedMap<String, ResourceRecord> old, SortedMap<String, ResourceRecord> fresh) {
        return old.keySet().equals(fresh.keySet()) && old.entrySet().stream().allMatch(
                entry -> CanonicalJson.of(entry.getValue().resource())
                        .equals(CanonicalJson.of(requireNonNull(fresh.get(entry.getKey())).resource())));
    }
}
