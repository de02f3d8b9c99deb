package dev.toolfleet.worker.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.worker.registry.ExtensionPlan.Use;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

/// Owner of the loaded bundles: takes declarations in, loads their modules, and publishes each revision when its code
/// is loaded.
///
/// **Contract.** A bundle's declarations and code change together, in one [RegistryView]. Its earlier revision stays in
/// use, layers included, until the new one has loaded or failed ([RevisionSwitch]). That takes at most the limit of
/// [ModuleThreads] after it was read, unless it waits for another bundle that is read later. Otherwise bundles do not
/// wait for each other. Whatever a module does, [#apply] returns at once.
///
/// **Threads.** One thread applies. Loads end on threads of their own, and each checks whether a bundle can move on.
/// The lock guards the state. No code of a module and no listener runs under it.
///
/// Interleavings:
/// - *A revision is read while the one before it is loaded.* Modules that both declare are loaded once. The others of
///   the one before are interrupted and closed; it is never published.
/// - *A module loads as its bundle is removed, or the registry closes.* Its load was dropped: it is closed.
/// - *A retry as a module loads after its limit.* [ModuleLoad] handles both.
/// - *A call waits as the registry closes.* No module is loading any more, and the call goes on without a tool.
final class BundleLoads {
    private static final Logger LOG = LoggerFactory.getLogger(BundleLoads.class);
    /// Longest wait at the end of the process for modules that are being closed.
    private static final Duration CLOSE = Duration.ofSeconds(10);
    /// Time after which waiting threads check again. Some conditions change without a change of the registry, such as a
    /// partition that was lost.
    private static final Duration LOOK = Duration.ofMillis(200);
    /// A load begins, and its end is seen, within this time.
    private static final Duration MARGIN = Duration.ofSeconds(5);

    /// One use of an extension with its source.
    private record UseKey(String place, LoadedExtension.Source source) {
        static UseKey of(Use use) {
            return new UseKey(use.place(), requireNonNull(use.source()));
        }
    }

    private final List<String> fleetExtensions;
    private final ModuleLoader loader;
    private final Publishers publishers;
    private final ModuleThreads threads;
    private final Runnable changed;
    private final ToolModules.Maker maker;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final ResourceTable table;
    private final Map<String, ToolModules> newest = new HashMap<>();
    private final Map<UseKey, ModuleLoad<LoadedExtension>> uses = new HashMap<>();
    private boolean closed;
    private volatile RegistryView view = RegistryView.EMPTY;

    /// @param trust decides which bundles count
    /// @param changed runs after each change of the view, on any thread
    BundleLoads(BundleTrust trust, List<String> fleetExtensions, ModuleLoader loader, Publishers publishers,
            ModuleThreads threads,
            Runnable changed) {
        this.table = new ResourceTable(trust);
        this.fleetExtensions = List.copyOf(fleetExtensions);
        this.loader = loader;
        this.publishers = publishers;
        this.threads = threads;
        this.changed = changed;
        this.maker = new ToolModules.Maker(loader, threads, () -> settle(false));
    }

    /// Returns the view for calls.
    RegistryView view() {
        return view;
    }

    /// Takes the next record of `tool.resource`; null for a tombstone. Returns at once.
    @SuppressWarnings("ReferenceEquality") // A view that was not replaced is the same object.
    void apply(String key, @Nullable ResourceRecord value) {
        List<Runnable> begin = new ArrayList<>();
        lock.lock();
        try {
            if (closed)
                return;
            Map<String, String> refused = table.refused();
            Optional<String> shown = table.apply(key, value);
            if (table.refused() != refused)
                logRefusals(refused, table.refused());
            FleetResources declared = table.view();
            if (shown.isEmpty()) {
                if (declared != view.declared())
                    view = view.renewed(withRegistrations(declared), declared);
                return;
            }
            if (RegistrationOwner.isNamespace(shown.get())) {
                view = view.with(withRegistrations(declared), declared, view.modules(), view.layers());
            } else {
                view = view.declaring(declared);
                plan(shown.get(), declared, begin);
            }
        } finally {
            lock.unlock();
        }
        begin.forEach(Runnable::run);
        settle(false);
    }

    private static void logRefusals(Map<String, String> before, Map<String, String> now) {
        now.forEach((bundle, why) -> {
            if (!why.equals(before.get(bundle)))
                LOG.atError().addKeyValue(LogKeys.BUNDLE, bundle).addKeyValue(LogKeys.REASON, why)
                        .log("bundle refused");
        });
    }

    /// Returns the bundles that are not published, with the reason, by name. For any thread.
    Map<String, String> refused() {
        return table.refused();
    }

    private FleetResources withRegistrations(FleetResources declared) {
        return new FleetResources(view.resources().bundles(), declared.registrations());
    }

    /// @param begin collects the loads to begin, which run without the lock
    private void plan(String bundle, FleetResources declared, List<Runnable> begin) {
        ToolModules before = newest.remove(bundle);
        declared.bundle(bundle).ifPresent(now -> {
            ToolModules modules = ToolModules.of(now,
                    List.of(inUse(bundle), requireNonNullElse(before, ToolModules.NONE)), maker);
            newest.put(bundle, modules);
            begin.add(modules::begin);
        });
        for (Use use : ExtensionPlan.of(declared, fleetExtensions).byPlace().values()) {
            if (use.source() != null)
                begin.add(uses.computeIfAbsent(UseKey.of(use), key -> load(use, key))::begin);
        }
        if (before != null)
            begin.addFirst(() -> before.dropUnless(kept(bundle)));
    }

    private ModuleLoad<LoadedExtension> load(Use use, UseKey key) {
        return new ModuleLoad<>(use.place().equals(use.where()) ? use.where() : use.where() + " of " + use.place(),
                () -> LoadedExtension.load(key.source(), loader, publishers, threads), LoadedExtension::close, threads,
                () -> settle(true));
    }

    private ToolModules inUse(String bundle) {
        return view.modules().getOrDefault(bundle, ToolModules.NONE);
    }

    private List<ToolModules> kept(String bundle) {
        lock.lock();
        try {
            return List.of(inUse(bundle), newest.getOrDefault(bundle, ToolModules.NONE));
        } finally {
            lock.unlock();
        }
    }

    /// Publishes the revisions that have become complete, and drops the modules that no revision declares any more.
    ///
    /// @param extensions whether some extension has loaded or failed
    private void settle(boolean extensions) {
        List<Runnable> drop = new ArrayList<>();
        Set<String> moved;
        lock.lock();
        try {
            if (closed)
                return;
            FleetResources declared = table.view();
            RevisionSwitch next = new RevisionSwitch(view.resources(), declared, fleetExtensions,
                    use -> requireNonNull(uses.get(UseKey.of(use))).isSettled());
            Set<String> ready = new HashSet<>(view.loading());
            ready.removeIf(bundle -> !newest.getOrDefault(bundle, ToolModules.NONE).areSettled());
            moved = next.moving(ready);
            if (!moved.isEmpty())
                move(next.after(moved), declared, moved, drop);
            else if (extensions)
                view = view.around(layers(ExtensionPlan.of(view.resources(), fleetExtensions)));
            news.signalAll();
        } finally {
            lock.unlock();
        }
        drop.forEach(Runnable::run);
        for (String bundle : moved)
            LOG.atInfo().addKeyValue(LogKeys.BUNDLE, bundle).addKeyValue(LogKeys.REVISION, revision(bundle))
                    .log("bundle loaded");
        changed.run();
    }

    private long revision(String bundle) {
        return view.resources().bundle(bundle).map(found -> found.revision()).orElse(0L);
    }

    private void move(FleetResources shown, FleetResources declared, Set<String> moved, List<Runnable> drop) {
        Map<String, ToolModules> modules = new HashMap<>(view.modules());
        for (String bundle : moved) {
            ToolModules before = modules.remove(bundle);
            ToolModules now = newest.get(bundle);
            if (now != null)
                modules.put(bundle, now);
            if (before != null)
                drop.add(() -> before.dropUnless(kept(bundle)));
        }
        ExtensionPlan plan = ExtensionPlan.of(shown, fleetExtensions);
        Set<UseKey> wanted = keys(plan);
        wanted.addAll(keys(ExtensionPlan.of(declared, fleetExtensions)));
        view = view.with(shown, declared, modules, layers(plan));
        uses.entrySet().removeIf(use -> {
            if (wanted.contains(use.getKey()))
                return false;
            drop.add(use.getValue()::drop);
            return true;
        });
    }

    private static Set<UseKey> keys(ExtensionPlan plan) {
        Set<UseKey> keys = new HashSet<>();
        plan.byPlace().values().stream().filter(use -> use.source() != null).map(UseKey::of).forEach(keys::add);
        return keys;
    }

    /// Returns the layers of a plan, whose extensions offer their tools from now on.
    private ExtensionLayers layers(ExtensionPlan plan) {
        for (UseKey key : keys(plan)) {
            LoadedExtension loaded = load(key).module();
            if (loaded != null)
                loaded.show();
        }
        return ExtensionLayers.of(plan, use -> load(UseKey.of(use)));
    }

    private ModuleLoad<LoadedExtension> load(UseKey key) {
        return requireNonNull(uses.get(key), key.place());
    }

    /// Loads the failed modules again. Returns at once.
    void retry() {
        Collection<ToolModules> modules;
        Collection<ModuleLoad<LoadedExtension>> extensions;
        lock.lock();
        try {
            if (closed)
                return;
            modules = List.copyOf(view.modules().values());
            extensions = List.copyOf(uses.values());
        } finally {
            lock.unlock();
        }
        modules.forEach(ToolModules::begin);
        extensions.forEach(ModuleLoad::begin);
    }

    /// Waits until a condition holds, checked after each change. Returns also when the limit of a load has passed, or
    /// the registry has closed.
    void await(BooleanSupplier holds) throws InterruptedException {
        if (holds.getAsBoolean())
            return;
        long until = System.nanoTime() + threads.limit().plus(MARGIN).toNanos();
        lock.lockInterruptibly();
        try {
            while (!closed && !holds.getAsBoolean() && System.nanoTime() - until < 0) {
                boolean _ = news.await(LOOK.toNanos(), TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Closes every module once its calls have ended, interrupts running loads, and ends all waits. Waits up to ten
    /// seconds for modules that no call uses.
    void close() {
        List<ToolModules> modules;
        List<ModuleLoad<LoadedExtension>> extensions;
        lock.lock();
        try {
            closed = true;
            modules = new ArrayList<>(view.modules().values());
            modules.addAll(newest.values());
            extensions = List.copyOf(uses.values());
            view = view.closed();
            news.signalAll();
        } finally {
            lock.unlock();
        }
        modules.forEach(each -> each.dropUnless(List.of()));
        extensions.forEach(ModuleLoad::drop);
        try {
            threads.awaitClosed(CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
