package dev.toolfleet.worker.registration;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.Registration;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.resources.RegistrationPlan;
import dev.toolfleet.worker.registry.OfferedTools;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// State of one worker while it is the writer of registrations: the topic's content, which decides what to write.
///
/// **Contract.** The offers of this worker's extensions are declared. An earlier writer may have declared tools that
/// this worker's extensions do not offer yet, for example because they are still connecting. These stay for one more
/// lease, counted from the start of this tenure, or from the load of the extension if that came later. After that they
/// are removed, as are registrations that had lapsed before.
///
/// **Threads.** For one thread.
///
/// **Why.** The writer read the topic to its end when it began, and no other worker writes since. The worker's later
/// reads may lack its own last records, so they do not count.
final class RegistrationWriter {
    private final String worker;
    private final Duration lease;
    private final Instant since;
    private final Map<String, Registration> written;

    /// @param found the topic's content, lapsed or not
    RegistrationWriter(String worker, Duration lease, Instant since, FleetResources found) {
        this.worker = worker;
        this.lease = lease;
        this.since = since;
        this.written = new TreeMap<>(found.registrations());
    }

    /// Returns the records to write now.
    ///
    /// @param offered by the extensions of this worker
    /// @param renew whether leases are due; otherwise only changes are written
    List<RegistrationPlan> due(Collection<OfferedTools> offered, Instant now, boolean renew) {
        Map<String, OfferedTools> byNamespace = new TreeMap<>();
        offered.forEach(each -> byNamespace.put(each.owner().namespace(), each));
        Set<String> namespaces = new TreeSet<>(written.keySet());
        namespaces.addAll(byNamespace.keySet());
        List<RegistrationPlan> plans = new ArrayList<>();
        for (String namespace : namespaces)
            plan(byNamespace.get(namespace), written.get(namespace), now, renew).ifPresent(plans::add);
        return plans;
    }

    private Optional<RegistrationPlan> plan(@Nullable OfferedTools offered, @Nullable Registration before,
            Instant now, boolean renew) {
        RegistrationOwner owner = offered != null
                ? offered.owner()
                : requireNonNull(before).owner();
        RegistrationPlan plan = RegistrationPlan.of(
                new RegistrationPlan.Lease(owner, now, now.plus(lease), worker), Optional.ofNullable(before),
                wanted(offered, before, now));
        boolean changes = before == null || plan.after().isEmpty()
                || plan.after().get().revision() != before.revision();
        return plan.entries().isEmpty() || (!changes && !renew) ? Optional.empty() : Optional.of(plan);
    }

    private Map<String, ToolDeclaration> wanted(@Nullable OfferedTools offered, @Nullable Registration before,
            Instant now) {
        Map<String, ToolDeclaration> wanted = new TreeMap<>(offered == null ? Map.of() : offered.tools());
        Instant begun = offered == null || offered.openedAt().isBefore(since) ? since : offered.openedAt();
        if (before != null && before.isLive(now) && now.isBefore(begun.plus(lease))) {
            for (String name : before.tools().keySet()) {
                ToolDeclaration kept = RegistrationPlan.declared(before, name);
                if (kept != null && (offered == null || !offered.removed().contains(name)))
                    wanted.putIfAbsent(name, kept);
            }
        }
        return wanted;
    }

    /// Notes a committed plan.
    void wrote(RegistrationPlan plan) {
        String namespace = plan.owner().namespace();
        plan.after().ifPresentOrElse(after -> written.put(namespace, after), () -> written.remove(namespace));
    }
}
