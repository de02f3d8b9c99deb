package dev.toolfleet.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;

/// Steps that wait for their catalogs. A step catalog names its content by digest, and either may be read first. No
/// I/O; thread-safe.
final class StepWaits {
    /// The number of contents that are kept: thousands of steps share one.
    static final int MAX_CONTENTS = 256;

    /// One step that waits.
    interface Waiting {
        StepStarted step();

        void complete(StepCatalogView view);
    }

    private final Map<String, Set<Waiting>> byKey = new HashMap<>();
    private final Map<String, Map<Waiting, StepCatalogView>> byDigest = new HashMap<>();
    private final Map<String, List<ToolCatalogItem>> contents = new LinkedHashMap<>(16, 0.75f, true);
    private boolean forgotten;

    synchronized void register(Waiting waiting) {
        byKey.computeIfAbsent(key(waiting), key -> new LinkedHashSet<>()).add(waiting);
    }

    synchronized void remove(Waiting waiting) {
        byKey.computeIfPresent(key(waiting), (key, all) -> without(all, waiting));
        for (Iterator<Map<Waiting, StepCatalogView>> each = byDigest.values().iterator(); each.hasNext();) {
            Map<Waiting, StepCatalogView> waits = each.next();
            waits.remove(waiting);
            if (waits.isEmpty())
                each.remove();
        }
    }

    synchronized boolean concerns(String key) {
        return byKey.containsKey(key);
    }

    /// Takes a step catalog.
    ///
    /// @return true if its content must be read again, because it was dropped
    synchronized boolean catalog(StepCatalog catalog) {
        boolean missing = false;
        for (Waiting waiting : List
                .copyOf(byKey.getOrDefault(StepCatalog.key(catalog.instanceKey(), catalog.agentName()), Set.of()))) {
            Optional<String> digest = digestOf(catalog, waiting.step());
            if (digest.isEmpty())
                continue;
            byKey.computeIfPresent(key(waiting), (key, all) -> without(all, waiting));
            List<ToolCatalogItem> content = contents.get(digest.get());
            StepStarted step = waiting.step();
            StepCatalogView view = new StepCatalogView(step.instanceKey(), step.agentName(), step.turnId(),
                    step.stepId(), digest.get(), content == null ? List.of() : content);
            if (content != null)
                waiting.complete(view);
            else
                byDigest.computeIfAbsent(digest.get(), key -> new HashMap<>()).put(waiting, view);
            missing |= content == null;
        }
        return missing && forgotten;
    }

    /// Takes a content.
    synchronized void content(String digest, List<ToolCatalogItem> tools) {
        contents.put(digest, tools);
        if (contents.size() > MAX_CONTENTS) {
            contents.remove(contents.keySet().iterator().next());
            forgotten = true;
        }
        Map<Waiting, StepCatalogView> waits = byDigest.remove(digest);
        if (waits != null)
            waits.forEach((waiting, view) -> waiting.complete(new StepCatalogView(view.instanceKey(),
                    view.agentName(), view.turnId(), view.stepId(), digest, tools)));
    }

    /// Returns the digest of the content that a step waits for; empty before its catalog has come.
    synchronized Optional<String> awaitedContent(Waiting waiting) {
        return byDigest.entrySet().stream().filter(entry -> entry.getValue().containsKey(waiting)).findFirst()
                .map(Map.Entry::getKey);
    }

    synchronized List<Waiting> all() {
        List<Waiting> all = new ArrayList<>();
        byKey.values().forEach(all::addAll);
        byDigest.values().forEach(waits -> all.addAll(waits.keySet()));
        return all;
    }

    /// Returns the digest for a step. The catalog may have been read only after further quick steps.
    private static Optional<String> digestOf(StepCatalog catalog, StepStarted step) {
        if (catalog.turnId().equals(step.turnId()) && catalog.stepId().equals(step.stepId()))
            return Optional.of(catalog.digest());
        return catalog.recent().stream()
                .filter(recent -> recent.turnId().equals(step.turnId()) && recent.stepId().equals(step.stepId()))
                .findFirst().map(recent -> recent.digest());
    }

    private static String key(Waiting waiting) {
        return StepCatalog.key(waiting.step().instanceKey(), waiting.step().agentName());
    }

    private static @Nullable Set<Waiting> without(Set<Waiting> all, Waiting waiting) {
        all.remove(waiting);
        return all.isEmpty() ? null : all;
    }
}
