package dev.toolfleet.worker.sandbox;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Processes behind walls: bubblewrap, the first process of its namespace, and all in that namespace, which the kernel
/// ends with its first. So only the first process must be known for certain.
///
/// @param bubblewrap outside of the namespace; ends with its command, and the first process a moment later
/// @param marked finds the first process by its mark, if bubblewrap ended before this class saw it
/// @param known processes that were seen
record WalledFamily(ProcessHandle bubblewrap, FamilyTree.Proc marked, Set<ProcessHandle> known) implements FamilyTree {
    static WalledFamily of(Process process, String mark) {
        FamilyTree.Proc all = new FamilyTree.Proc(process.pid(), MARK + "=" + mark, Set.of(),
                new Descendants(process.toHandle(), new LinkedHashSet<>()));
        return new WalledFamily(process.toHandle(), all, new LinkedHashSet<>());
    }

    /// Looks for the first process only until it is known: no process leaves the namespace.
    @Override
    public void look() {
        if (known.isEmpty())
            bubblewrap.children().forEach(known::add);
    }

    @Override
    public List<ProcessHandle> living() {
        if (bubblewrap.isAlive())
            bubblewrap.descendants().forEach(known::add);
        else if (known.isEmpty())
            known.addAll(marked.marked());
        return Stream.concat(Stream.of(bubblewrap), known.stream()).filter(FamilyTree.Proc::runs).toList();
    }
}
