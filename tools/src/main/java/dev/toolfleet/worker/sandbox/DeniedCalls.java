package dev.toolfleet.worker.sandbox;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Table of the system calls that programs behind the walls are denied: those that Docker's default profile denies to a
/// container without capabilities. They act on the whole machine, on keys, or on parts of the kernel in which holes are
/// found often. Pure.
final class DeniedCalls {
    private static final String NONE = "-";
    /// Name, number on x86_64, number on aarch64.
    private static final String TABLE = """
            acct 163 89
            add_key 248 217
            bpf 321 280
            chroot 161 51
            clock_adjtime 305 266
            clock_settime 227 112
            create_module 174 -
            delete_module 176 106
            fanotify_init 300 262
            finit_module 313 273
            fsconfig 431 431
            fsmount 432 432
            fsopen 430 430
            fspick 433 433
            get_kernel_syms 177 -
            get_mempolicy 239 236
            init_module 175 105
            io_uring_enter 426 426
            io_uring_register 427 427
            io_uring_setup 425 425
            ioperm 173 -
            iopl 172 -
            kcmp 312 272
            kexec_file_load 320 294
            kexec_load 246 104
            keyctl 250 219
            lookup_dcookie 212 18
            mbind 237 235
            migrate_pages 256 238
            mount 165 40
            mount_setattr 442 442
            move_mount 429 429
            move_pages 279 239
            nfsservctl 180 42
            open_by_handle_at 304 265
            open_tree 428 428
            open_tree_attr 467 467
            perf_event_open 298 241
            pidfd_getfd 438 438
            pivot_root 155 41
            process_madvise 440 440
            query_module 178 -
            quotactl 179 60
            quotactl_fd 443 443
            reboot 169 142
            request_key 249 218
            set_mempolicy 238 237
            set_mempolicy_home_node 450 450
            setdomainname 171 162
            sethostname 170 161
            setns 308 268
            settimeofday 164 170
            swapoff 168 225
            swapon 167 224
            sysfs 139 -
            _sysctl 156 -
            syslog 103 116
            umount2 166 39
            unshare 272 97
            uselib 134 -
            userfaultfd 323 282
            ustat 136 -
            vhangup 153 58
            """;

    private DeniedCalls() {}

    /// Machine whose system calls are known.
    ///
    /// @param audit `AUDIT_ARCH_…`
    /// @param oldClone the number of a call that is denied for some arguments only, as are the others here
    record Architecture(int column, int audit, int oldClone, int clone3, int socket, int ptrace, int personality) {
        static final Architecture X86_64 = new Architecture(1, 0xc000_003e, 56, 435, 41, 101, 135);
        static final Architecture AARCH64 = new Architecture(2, 0xc000_00b7, 220, 435, 198, 117, 92);

        /// The machine that Java calls so.
        static Optional<Architecture> of(String arch) {
            return switch (arch) {
                case "amd64", "x86_64" -> Optional.of(X86_64);
                case "aarch64", "arm64" -> Optional.of(AARCH64);
                default -> Optional.empty();
            };
        }
    }

    /// Numbers of the calls that are denied whatever their arguments.
    static List<Integer> numbers(Architecture architecture) {
        return List.copyOf(byName(architecture).values());
    }

    /// The same with the names of the calls.
    static Map<String, Integer> byName(Architecture architecture) {
        Map<String, Integer> numbers = new TreeMap<>();
        for (String[] row : rows())
            if (!row[architecture.column].equals(NONE))
                numbers.put(row[0], Integer.valueOf(row[architecture.column]));
        return numbers;
    }

    private static List<String[]> rows() {
        return Arrays.stream(TABLE.split("\n", -1)).filter(line -> !line.isEmpty()).map(line -> line.split(" ", -1))
                .toList();
    }
}
