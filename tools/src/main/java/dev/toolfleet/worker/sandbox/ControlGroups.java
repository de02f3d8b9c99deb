package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.worker.sandbox.Cgroups.Hierarchy;
import dev.toolfleet.worker.sandbox.Cgroups.Resource;
import dev.toolfleet.worker.sandbox.SandboxConfig.Limits;

/// Makes a control group for each call, where the system lets this process make some: they bound the resources of all
/// processes of a call together. Thread-safe.
final class ControlGroups {
    private static final Pattern OURS = Pattern.compile("toolfleet-(\\d+)-.+");

    private final List<Hierarchy> hierarchies;
    private final long pid;

    private ControlGroups(List<Hierarchy> hierarchies, long pid) {
        this.hierarchies = hierarchies;
        this.pid = pid;
    }

    /// No control groups.
    static ControlGroups none() {
        return new ControlGroups(List.of(), 0);
    }

    /// Returns the candidates in which a group with these limits can be made. Removes the groups that killed workers
    /// left there.
    ///
    /// @param name unique
    static ControlGroups in(List<Hierarchy> candidates, Limits limits, String name) {
        long pid = ProcessHandle.current().pid();
        List<Hierarchy> usable = new ArrayList<>();
        Set<Resource> found = EnumSet.noneOf(Resource.class);
        for (Hierarchy candidate : candidates) {
            removeLeftovers(candidate.parent());
            Hierarchy rest = candidate.without(found);
            if (rest.resources().isEmpty() || !works(rest, limits, pid, name))
                continue;
            usable.add(rest);
            found.addAll(rest.resources());
        }
        return new ControlGroups(List.copyOf(usable), pid);
    }

    /// True if groups bound a resource.
    boolean bound(Resource resource) {
        return hierarchies.stream().anyMatch(hierarchy -> hierarchy.resources().contains(resource));
    }

    /// A new group.
    ///
    /// @param name unique
    /// @throws IOException when it cannot be made; nothing is left of it then
    ControlGroup open(Limits limits, String name) throws IOException {
        ControlGroup group = new ControlGroup(new ArrayList<>());
        try {
            for (Hierarchy hierarchy : hierarchies) {
                Path folder = Files.createDirectory(hierarchy.parent().resolve("toolfleet-" + pid + "-" + name));
                group.folders().add(folder);
                hierarchy.limit(folder, limits);
            }
        } catch (IOException e) {
            group.close();
            throw e;
        }
        return group;
    }

    private static boolean works(Hierarchy hierarchy, Limits limits, long pid, String name) {
        try (ControlGroup tried = new ControlGroups(List.of(hierarchy), pid).open(limits, name)) {
            return !tried.folders().isEmpty();
        } catch (IOException e) {
            return false; // Not ours to make groups in, or without the controller.
        }
    }

    private static void removeLeftovers(Path parent) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, "toolfleet-*")) {
            for (Path folder : folders) {
                Matcher ours = OURS.matcher(folder.getFileName().toString());
                if (ours.matches() && ProcessHandle.of(Long.parseLong(ours.group(1))).isEmpty())
                    new ControlGroup(List.of(folder)).close();
            }
        } catch (IOException e) {
            return; // Not readable, so nothing of ours is there.
        }
    }
}
