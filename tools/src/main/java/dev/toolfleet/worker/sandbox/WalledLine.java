package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.worker.egress.CommandLogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shell that joins the control groups and becomes bubblewrap, and the way on which bubblewrap's options reach it. For
/// one thread.
///
/// The options hold the environment of the program, with its secrets, and every user of the machine can read command
/// lines. A program without input has its options in the pipe of its standard input. One that reads its input has them
/// in a file of the worker's user, in memory where the system has such a folder; the shell opens it and removes it
/// before anything else runs.
sealed interface WalledLine extends AutoCloseable {
    /// The file descriptor from which bubblewrap reads its options.
    int OPTIONS = 3;
    /// The one from which it reads the filter of system calls.
    int CALLS = 4;
    /// Joins the control groups that come first in the arguments, up to `--`.
    String JOIN = "while [ \"$1\" != -- ]; do echo $$ >\"$1\" || exit 125; shift; done; shift; ";
    /// No walls, no options.
    WalledLine NONE = new ByInput(new byte[0]);

    /// The beginning of the command line.
    ///
    /// @param doors the files by which a process joins its control groups
    /// @param filter the file of the filter; null for none
    List<String> before(List<String> doors, @Nullable Path filter);

    /// Hands the options over, if the process does not fetch them itself.
    void started(Process process);

    @Override
    void close();

    static WalledLine byInput(byte[] options) {
        return new ByInput(options);
    }

    static WalledLine byFile(byte[] options) throws IOException {
        return new ByFile(OptionsFile.write(options));
    }

    private static List<String> shell(String script, List<String> doors, List<String> files) {
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", JOIN + script, "sh"));
        line.addAll(doors);
        line.add("--");
        line.addAll(files);
        return line;
    }

    /// Options in the pipe of the standard input; the program's own input is at its end.
    final class ByInput implements WalledLine {
        private static final Logger LOG = LoggerFactory.getLogger(WalledLine.class);
        private static final String RUN = "exec \"$@\" " + OPTIONS + "<&0 </dev/null";
        private static final String RUN_FILTERED = "calls=$1; shift; exec \"$@\" " + OPTIONS + "<&0 " + CALLS
                + "<\"$calls\" </dev/null";

        private final byte[] options;

        ByInput(byte[] options) {
            this.options = options;
        }

        @Override
        public List<String> before(List<String> doors, @Nullable Path filter) {
            return filter == null
                    ? shell(RUN, doors, List.of())
                    : shell(RUN_FILTERED, doors, List.of(filter.toString()));
        }

        @Override
        public void started(Process process) {
            try (OutputStream input = process.getOutputStream()) {
                input.write(options);
            } catch (IOException e) {
                LOG.atDebug().setCause(e).log("bubblewrap ended before it had read its arguments");
            }
        }

        @Override
        public void close() {
            // The pipe is the process's.
        }
    }

    /// Options in a file; the program reads the standard input.
    record ByFile(Path file) implements WalledLine {
        private static final Logger LOG = LoggerFactory.getLogger(WalledLine.class);
        private static final String OPEN = "exec " + OPTIONS + "<\"$1\" || exit 125; /bin/rm -f -- \"$1\"; shift; ";
        private static final String RUN = OPEN + "exec \"$@\"";
        private static final String RUN_FILTERED = OPEN + "calls=$1; shift; exec \"$@\" " + CALLS + "<\"$calls\"";

        @Override
        public List<String> before(List<String> doors, @Nullable Path filter) {
            return filter == null
                    ? shell(RUN, doors, List.of(file.toString()))
                    : shell(RUN_FILTERED, doors, List.of(file.toString(), filter.toString()));
        }

        @Override
        public void started(Process process) {
            // The shell reads the file.
        }

        /// Removes the file if its shell died before it could.
        @Override
        public void close() {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                LOG.atWarn().addKeyValue(CommandLogKeys.REASON, e.toString()).log("options of bubblewrap not removed");
            }
        }
    }
}
