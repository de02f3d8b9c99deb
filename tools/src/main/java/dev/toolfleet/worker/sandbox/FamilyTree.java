package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// Finds the living members of a command's family.
interface FamilyTree {
    /// The variable that marks all processes of one command.
    String MARK = "TOOLFLEET_PROCESS";

    /// Those that live now; zombies do not.
    List<ProcessHandle> living();

    /// Remembers those that descend from the command now, before they leave it.
    void look();

    /// The family of a process on this system.
    static FamilyTree of(Process leader, String mark) {
        Descendants descendants = new Descendants(leader.toHandle(), new LinkedHashSet<>());
        return Files.isReadable(Path.of("/proc/self/stat"))
                ? new Proc(leader.pid(), MARK + "=" + mark, Proc.outputs(leader.pid()), descendants)
                : descendants;
    }

    /// Family tree on Linux, by `/proc`.
    ///
    /// @param leader process id, group and session of the command's shell
    /// @param mark the marking variable as it stands in an environment
    /// @param outputs the pipes that the command writes to
    /// @param seen those that once descended from it
    record Proc(long leader, String mark, Set<Path> outputs, Descendants seen) implements FamilyTree {
        private static final Path PROC = Path.of("/proc");
        /// PF_KTHREAD of the system's flags of a process.
        private static final long KERNEL_THREAD = 0x0020_0000;
        private static final Duration PAUSE = Duration.ofMillis(1);
        /// A second at the most, for a program that is read from a slow disk.
        private static final int LOOKS = 1_000;

        /// A new process has its pipes when its start returns.
        static Set<Path> outputs(long pid) {
            Path folder = PROC.resolve(Long.toString(pid));
            Set<Path> pipes = new HashSet<>();
            for (Path output : List.of(output(folder, "1"), output(folder, "2")))
                if (output.toString().startsWith("pipe:"))
                    pipes.add(output);
            return pipes;
        }

        private static Path output(Path folder, String number) {
            try {
                return Files.readSymbolicLink(folder.resolve("fd").resolve(number));
            } catch (IOException e) {
                return Path.of(""); // Gone, or another user's.
            }
        }

        @Override
        public void look() {
            seen.look();
        }

        @Override
        public List<ProcessHandle> living() {
            seen.look();
            try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
                return all.filter(this::belongs).toList();
            }
        }

        /// Those that carry the mark.
        List<ProcessHandle> marked() {
            try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
                return all.filter(process -> marked(folder(process))).toList();
            }
        }

        /// True if a process runs. A process that has ended and whose exit code was not fetched does not.
        static boolean runs(ProcessHandle process) {
            try {
                return process.isAlive() && !isDead(stat(folder(process)));
            } catch (IOException e) {
                return false; // Gone meanwhile.
            }
        }

        private static Path folder(ProcessHandle process) {
            return PROC.resolve(Long.toString(process.pid()));
        }

        /// State, parent, group, session and the rest: the name in parentheses before them may hold anything.
        private static String[] stat(Path folder) throws IOException {
            String stat = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ", 5);
        }

        private static boolean isDead(String[] stat) {
            return stat[0].equals("Z") || stat[0].equals("X");
        }

        private boolean belongs(ProcessHandle process) {
            try {
                Path folder = folder(process);
                String[] fields = stat(folder);
                if (isDead(fields))
                    return false;
                return Long.parseLong(fields[2]) == leader || Long.parseLong(fields[3]) == leader
                        || seen.known().contains(process) || writesOut(folder) || marked(folder);
            } catch (IOException e) {
                return false; // Gone meanwhile.
            }
        }

        private boolean writesOut(Path folder) {
            return outputs.contains(output(folder, "1")) || outputs.contains(output(folder, "2"));
        }

        private boolean marked(Path folder) {
            try {
                String environment = text(folder, "environ");
                for (int looks = 0; environment.isEmpty() && looks < LOOKS && becomesAnotherProgram(folder); looks++) {
                    LockSupport.parkNanos(PAUSE.toNanos());
                    environment = text(folder, "environ");
                }
                return Stream.of(environment.split("\0", -1)).anyMatch(mark::equals);
            } catch (IOException e) {
                return false; // Another user's, so not one of ours.
            }
        }

        /// True if a process has neither environment nor command line, since the system replaces its program just now.
        /// Otherwise: a member that has left the session is no member in that moment, and outlives its family.
        private static boolean becomesAnotherProgram(Path folder) throws IOException {
            String[] others = stat(folder)[4].split(" ", 4);
            return text(folder, "cmdline").isEmpty() && (Long.parseLong(others[2]) & KERNEL_THREAD) == 0
                    && !isDead(stat(folder));
        }

        private static String text(Path folder, String file) throws IOException {
            return Files.readString(folder.resolve(file), StandardCharsets.ISO_8859_1);
        }
    }

    /// Elsewhere: the descendants of the shell while it lives, remembered.
    ///
    /// @param leader the shell
    /// @param known every member that was ever seen
    record Descendants(ProcessHandle leader, Set<ProcessHandle> known) implements FamilyTree {
        @Override
        public void look() {
            known.removeIf(member -> !member.isAlive());
            known.add(leader);
            for (ProcessHandle member : List.copyOf(known))
                member.descendants().forEach(known::add);
        }

        @Override
        public List<ProcessHandle> living() {
            look();
            return known.stream().filter(ProcessHandle::isAlive).toList();
        }
    }
}
