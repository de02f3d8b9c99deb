package dev.toolfleet.cli.contract;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.cli.fleet.LocalWorker;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.hosts.Hosts;
import dev.toolfleet.loading.EntryModules;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.testkit.ToolContract;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.app.WorkerConfig;
import dev.toolfleet.worker.sandbox.Sandbox;
import tools.jackson.databind.node.ObjectNode;

/// The contract of each Tool whose code is in a bundle, run in this JVM without a broker: schemas, `readOnly`,
/// `idempotent`, codes of errors, deadlines, interrupts, and what is left behind.
public final class BundleContract {
    /// Name of the file with the cases, in the bundle's folder.
    public static final String CASES = "contract.jsonl";
    /// The longest time of a handler in a host after an interrupt. It is shorter than the time after which a call leaves
    /// such a handler alone: that would look like an end of the handler.
    private static final Duration HOST_GRACE = Duration.ofSeconds(1);
    private static final Duration HOST_BUSY = Duration.ofSeconds(1);

    private final Terminal terminal;
    private final LocalBundle bundle;
    private final Map<String, Declared> tools;

    /// Tool with its declaration.
    private record Declared(ToolSpec spec, ObjectNode config, Map<String, String> files) {
        List<String> names() {
            return spec.exports().stream().map(spec::fullName).toList();
        }
    }

    private BundleContract(Terminal terminal, LocalBundle bundle, Map<String, Declared> tools) {
        this.terminal = terminal;
        this.bundle = bundle;
        this.tools = tools;
    }

    /// Reads the bundle in a folder.
    ///
    /// @throws Failure (invalid) if it is not valid, or has no Tool with code of its own
    public static BundleContract of(Path folder, Terminal terminal) {
        LocalBundle bundle = LocalBundle.calledLikeItsFolder(BundleCheck.check(folder));
        Map<String, Declared> tools = new LinkedHashMap<>();
        for (RevisionPlan.Declared declared : bundle.declared()) {
            ObjectNode document = declared.resource();
            if (!document.path("kind").asString("").equals(Kinds.TOOL))
                continue;
            ToolSpec spec = ToolSpec.of(document);
            if (!(spec.entryKind() instanceof EntryKind.Builtin))
                tools.putIfAbsent(spec.name(), new Declared(spec,
                        document.path("spec").path("config") instanceof ObjectNode config
                                ? config
                                : document.objectNode(),
                        declared.files()));
        }
        if (tools.isEmpty())
            throw Failure
                    .invalid("the bundle " + folder + " has no Tool with code of its own, so there is nothing to test");
        return new BundleContract(terminal, bundle, tools);
    }

    /// Runs all cases and prints what was found.
    ///
    /// @param file with the cases; see [ContractFile]
    /// @param config whose section `worker` counts
    /// @return 0 if all Tools kept their contract, else 1
    /// @throws Failure (invalid) if a case cannot be used
    public int run(Path file, FleetConfig config) throws InterruptedException {
        List<ContractCase> cases = ContractFile.read(file,
                new LinkedHashSet<>(tools.values().stream().flatMap(tool -> tool.names().stream()).toList()));
        try (TempFolder temporary = TempFolder.create()) {
            WorkerConfig worker = LocalWorker.config(config, temporary.path(), bundle);
            Path workspace = worker.folders().workspace();
            try (Sandbox sandbox = Sandbox.prepare(worker.folders().sandbox(), workspace);
                    Hosts hosts = new Hosts(worker.code().hosts(), System.getenv(), "test", sandbox, workspace)) {
                ModuleLoader loader = new EntryModules(name -> bundle.folder(), Map.of(), Map.of(), Map.of(), hosts,
                        EntryModules.NO_TOKENS);
                return summary(cases, testAll(cases, loader, workspace));
            }
        }
    }

    private int testAll(List<ContractCase> cases, ModuleLoader loader, Path workspace) throws InterruptedException {
        int broken = 0;
        for (Declared tool : tools.values()) {
            List<ContractCase> own = cases.stream().filter(each -> tool.names().contains(each.name())).toList();
            terminal.print(tool.spec().name() + "  " + tool.spec().entry());
            for (ToolExport export : tool.spec().exports())
                terminal.print("  " + CaseCount.of(export.name(), own, tool.spec().fullName(export)));
            if (own.isEmpty())
                continue;
            List<String> violations = test(tool, own, loader, workspace);
            violations.forEach(violation -> terminal.print("  - " + violation));
            if (violations.isEmpty())
                terminal.print("  kept");
            else
                broken++;
        }
        return broken;
    }

    private List<String> test(Declared tool, List<ContractCase> cases, ModuleLoader loader, Path workspace)
            throws InterruptedException {
        Set<String> broken = Collections.synchronizedSet(new LinkedHashSet<>());
        try {
            loadOnce(tool, loader);
        } catch (ModuleLoadException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
        ToolContract contract = ToolContract
                .of(() -> new DeclaredModule(loader.tool(bundle.name(), tool.spec(), tool.files()), tool.spec(), cases,
                        broken))
                .config(tool.config().toString()).folder(workspace);
        if (tool.spec().entryKind() instanceof EntryKind.Script)
            contract.grace(HOST_GRACE).interruptAfter(HOST_BUSY);
        for (ToolExport export : tool.spec().exports())
            addCases(contract, export, cases.stream().filter(each -> each.name().equals(tool.spec().fullName(export)))
                    .toList());
        List<String> found = new ArrayList<>(contract.violations());
        found.addAll(broken);
        return found;
    }

    /// Loads the module, and lets it go. Otherwise: threads that this process begins at the first start of a program count
    /// as left behind by the module.
    private void loadOnce(Declared tool, ModuleLoader loader) {
        try (ToolModule module = loader.tool(bundle.name(), tool.spec(), tool.files())) {
            module.configure(tool.config().deepCopy());
            module.handlers();
        }
    }

    private static void addCases(ToolContract contract, ToolExport export, List<ContractCase> cases) {
        if (cases.isEmpty())
            return;
        contract.export(export.name());
        for (ContractCase each : cases) {
            String args = each.args().toString();
            if (each.slow())
                contract.slowInput(args);
            else if (each.fails().isPresent())
                contract.failingInput(args);
            else
                contract.input(args);
        }
    }

    private int summary(List<ContractCase> cases, int broken) {
        long tested = tools.values().stream()
                .filter(tool -> cases.stream().anyMatch(each -> tool.names().contains(each.name()))).count();
        terminal.print("");
        if (tested == 0)
            throw Failure.invalid("the file of cases has none");
        terminal.print(tested - broken + " of " + tested + (tested == 1 ? " Tool" : " Tools") + " kept the contract"
                + (tested < tools.size() ? "; " + (tools.size() - tested) + " without cases" : "") + ".");
        return broken == 0 ? Failure.SUCCESS : Failure.FAILED;
    }
}
