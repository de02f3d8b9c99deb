package dev.toolfleet.worker.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.toolfleet.worker.sandbox.Cgroups.Hierarchy;
import dev.toolfleet.worker.sandbox.Cgroups.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ControlGroupsIT {
    @TempDir
    Path root;

    @Test
    void theGroupsOfVersionTwoAreWhereControllersAreHandedOut() throws Exception {
        Path proc = proc("0::/fleet/worker\n", "cgroup2 " + root + " cgroup2 rw 0 0\n");
        Path delegated = root.resolve("fleet");
        Files.createDirectories(delegated.resolve("worker"));
        Files.writeString(delegated.resolve("cgroup.subtree_control"), "cpu memory pids\n");
        Files.writeString(delegated.resolve("worker/cgroup.subtree_control"), "\n");

        assertThat(Cgroups.of(proc)).containsExactly(new Hierarchy(delegated, true, EnumSet.allOf(Resource.class)));
    }

    @Test
    void theGroupsOfVersionOneAreOneForEachController() throws Exception {
        Path proc = proc("8:pids:/a\n4:cpu,memory:/b/c\n1:name=systemd:/\n",
                "cgroup " + root + "/p cgroup rw,pids 0 0\ncgroup " + root + "/m cgroup rw,memory,cpu 0 0\n");

        assertThat(Cgroups.of(proc)).containsExactly(
                new Hierarchy(root.resolve("p/a"), false, Set.of(Resource.PROCESSES)),
                new Hierarchy(root.resolve("m/b/c"), false, Set.of(Resource.MEMORY)));
    }

    @Test
    void withoutProcThereAreNone() {
        assertThat(Cgroups.of(root.resolve("none"))).isEmpty();
    }

    @Test
    void aFolderThatIsNoControlGroupIsNotTakenForOneAndNothingIsLeftInIt() throws Exception {
        ControlGroups groups = ControlGroups.in(List.of(new Hierarchy(root, true, EnumSet.allOf(Resource.class))),
                Walls.LIMITS, "test");

        assertThat(groups.bound(Resource.PROCESSES)).isFalse();
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void whatAKilledWorkerLeftIsRemoved() throws Exception {
        Files.createDirectory(root.resolve("toolfleet-999999999-x"));
        Path living = Files.createDirectory(root.resolve("toolfleet-" + ProcessHandle.current().pid() + "-x"));
        Path another = Files.createDirectory(root.resolve("toolfleet-service"));

        ControlGroups.in(List.of(new Hierarchy(root, true, EnumSet.allOf(Resource.class))), Walls.LIMITS, "test");

        assertThat(root.toFile().listFiles()).containsExactlyInAnyOrder(living.toFile(), another.toFile());
    }

    private Path proc(String cgroup, String mounts) throws Exception {
        Path self = Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(self.resolve("cgroup"), cgroup);
        Files.writeString(self.resolve("mounts"), mounts);
        return root.resolve("proc");
    }
}
