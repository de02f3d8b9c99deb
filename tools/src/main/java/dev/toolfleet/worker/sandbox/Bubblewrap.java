package dev.toolfleet.worker.sandbox;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Writes down the walls for bubblewrap: namespaces of its own, a file system put together anew with one writable
/// folder, no privileges. Bubblewrap reads its arguments from a pipe. Otherwise: environments hold secrets, and every
/// user of the machine can read command lines.
///
/// @param program the path of `bwrap`
/// @param network whether the worker's network is shared
/// @param readable paths that can be read beside the system
/// @param workspace the root of all instances' folders; need not exist yet
/// @param noUserNamespaces whether to forbid the program user namespaces of its own, which not every system can
/// @param forwarder the way out of a network of its own, where there is one
/// @param filter the system calls that the program is denied; none where their numbers are not known or filters not
/// possible
record Bubblewrap(Path program, boolean network, List<Path> readable, Path workspace, boolean noUserNamespaces,
        Optional<Forwarder> forwarder, Optional<SystemCallFilter> filter) {
    /// `nobody`: the owner of the folder from within, and no user of the machine by privilege.
    private static final String NOBODY = "65534";
    private static final String TMP_BYTES = Long.toString(256L << 20);
    private static final String SHM_BYTES = Long.toString(64L << 20);
    private static final String HIDDEN_BYTES = Long.toString(1L << 20);
    private static final List<String> SYSTEM = List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");
    /// Nothing that holds keys: `/etc/ssl/private` and its like stay outside.
    private static final List<String> ETC = List.of("alternatives", "ca-certificates", "crypto-policies", "fonts",
            "group", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf",
            "passwd", "perl", "pki/ca-trust", "pki/tls/cert.pem", "pki/tls/certs", "pki/tls/openssl.cnf", "protocols",
            "python3", "services", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone");
    private static final List<String> ETC_OF_NETWORK = List.of("gai.conf", "host.conf", "resolv.conf");
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /// The beginning of the command line.
    ///
    /// @param options the file descriptor through which [#options] come
    /// @param calls the one from which the filter can be read, if there is one
    List<String> before(int options, int calls) {
        List<String> line = new ArrayList<>(List.of(program.toString(), "--args", Integer.toString(options)));
        if (filter.isPresent())
            line.addAll(List.of("--seccomp", Integer.toString(calls)));
        line.add("--");
        return line;
    }

    /// The same walls without a filter.
    Bubblewrap unfiltered() {
        return new Bubblewrap(program, network, readable, workspace, noUserNamespaces, forwarder, Optional.empty());
    }

    /// The same walls with the worker's network.
    Bubblewrap open() {
        return new Bubblewrap(program, true, readable, workspace, noUserNamespaces, Optional.empty(), filter);
    }

    /// The same walls with a way out.
    Bubblewrap with(Forwarder way) {
        return new Bubblewrap(program, network, readable, workspace, noUserNamespaces, Optional.of(way), filter);
    }

    /// Returns all options for bubblewrap, each text ended by a NUL.
    ///
    /// @param carried variables of the programs behind the walls, in addition to those for their places
    /// @param proxy the socket to which the forwarder leads, where there is one
    byte[] options(ConfinedProgram command, Map<String, String> carried, Optional<Path> proxy) {
        List<String> options = new ArrayList<>();
        Collections.addAll(options, "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
                "--unshare-cgroup-try", "--uid", NOBODY, "--gid", NOBODY, "--hostname", "sandbox", "--die-with-parent",
                "--new-session", "--cap-drop", "ALL", "--clearenv");
        if (!network)
            options.add("--unshare-net");
        if (noUserNamespaces)
            options.add("--disable-userns");
        environment(command, carried).forEach((name, value) -> Collections.addAll(options, "--setenv", name, value));
        addSystem(options);
        // The last step closes the root; file systems that are mounted on it keep their own rights. A worker that is
        // root still owns the files of /proc/sys from within, so /proc has to be read-only as a whole.
        Collections.addAll(options, "--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", "--perms", "1777",
                "--size", SHM_BYTES, "--tmpfs", "/dev/shm", "--remount-ro", "/dev", "--perms", "1777", "--size",
                TMP_BYTES, "--tmpfs", "/tmp", "--perms", "0755", "--dir", "/var", "--symlink", "/tmp", "/var/tmp");
        proxy.ifPresent(socket -> Collections.addAll(options, "--ro-bind", socket.toString(), Forwarder.SOCKET));
        for (Path path : Stream.concat(readable.stream(), command.reach().readable().stream()).toList())
            Collections.addAll(options, "--ro-bind", path.toString(), path.toString());
        Path hidden = SandboxConfig.real(workspace);
        boolean hides = bound().anyMatch(hidden::startsWith);
        if (hides)
            Collections.addAll(options, "--perms", "0755", "--size", HIDDEN_BYTES, "--tmpfs", hidden.toString());
        String workdir = command.workdir().toString();
        Collections.addAll(options, "--bind", workdir, workdir);
        if (hides && !hidden.equals(command.workdir()))
            Collections.addAll(options, "--remount-ro", hidden.toString());
        Collections.addAll(options, "--remount-ro", "/", "--chdir", command.cwd().toString());
        return joined(options);
    }

    /// True if programs behind the walls see a file that the worker sees.
    boolean sees(Path real, Path workdir) {
        return real.startsWith(workdir) || (!real.startsWith(SandboxConfig.real(workspace))
                && Stream.concat(SYSTEM.stream().map(Path::of), readable.stream()).anyMatch(real::startsWith));
    }

    /// True if the workspace holds system folders. The folder that hides the workspace cannot cover files that all
    /// programs need.
    static boolean hidesTheSystem(Path workspace) {
        Path root = SandboxConfig.real(workspace);
        return SYSTEM.stream().map(Path::of).filter(Files::exists)
                .anyMatch(folder -> folder.startsWith(root) || SandboxConfig.real(folder).startsWith(root));
    }

    /// Returns the paths that are bound from outside, without symbolic links.
    private static Stream<Path> bound() {
        return Stream.concat(SYSTEM.stream(), Stream.concat(ETC.stream(), ETC_OF_NETWORK.stream())
                .map(name -> "/etc/" + name)).map(Path::of).map(SandboxConfig::real);
    }

    private static Map<String, String> environment(ConfinedProgram command, Map<String, String> carried) {
        Map<String, String> env = new TreeMap<>(Map.of("PATH", PATH, "HOME", command.workdir().toString(), "USER",
                "nobody", "LOGNAME", "nobody", "SHELL", "/bin/sh", "TMPDIR", "/tmp"));
        env.putAll(carried);
        return env;
    }

    private void addSystem(List<String> options) {
        for (String folder : SYSTEM)
            addAsItIs(options, Path.of(folder));
        Collections.addAll(options, "--perms", "0755", "--dir", "/etc");
        Stream.concat(ETC.stream(), network ? ETC_OF_NETWORK.stream() : Stream.empty()).map(name -> "/etc/" + name)
                .forEach(file -> Collections.addAll(options, "--ro-bind-try", file, file));
    }

    /// `/bin` is a link to `/usr/bin` on most systems; a bind of it would be a second copy under another name.
    private static void addAsItIs(List<String> options, Path folder) {
        Path parent = folder.resolveSibling("");
        if (Files.isSymbolicLink(folder))
            Collections.addAll(options, "--symlink", link(folder, parent), folder.toString());
        else
            Collections.addAll(options, "--ro-bind-try", folder.toString(), folder.toString());
    }

    private static String link(Path folder, Path parent) {
        try {
            return parent.resolve(Files.readSymbolicLink(folder)).toString();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static byte[] joined(List<String> texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String text : texts) {
            bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            bytes.write(0);
        }
        return bytes.toByteArray();
    }
}
