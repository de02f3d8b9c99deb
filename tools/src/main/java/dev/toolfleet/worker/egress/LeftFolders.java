package dev.toolfleet.worker.egress;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Folders of egress sockets whose workers were killed.
///
/// **Why.** A folder goes only if its process is dead and nothing listens at its sockets. Otherwise: a container that shares
/// the temporary folder has a process of that number which is not seen here, and its commands lose their way out.
final class LeftFolders {
    /// Name of a folder, before the number of its process.
    static final String PREFIX = "toolfleet-egress-";
    private static final Logger LOG = LoggerFactory.getLogger(LeftFolders.class);
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,10})-\\d+");

    private LeftFolders() {}

    /// Removes those in the parent folder into which this user may write.
    ///
    /// @param alive true if a process of this number runs
    static void remove(Path parent, LongPredicate alive) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : folders) {
                Matcher name = NAME.matcher(folder.getFileName().toString());
                if (name.matches() && !alive.test(Long.parseLong(name.group(1))))
                    remove(folder);
            }
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(CommandLogKeys.REASON, e.toString()).log("folders of egress sockets not listed");
        }
    }

    private static void remove(Path folder) {
        try {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) || !Files.isWritable(folder))
                return;
            List<Path> sockets;
            try (Stream<Path> files = Files.list(folder)) {
                sockets = files.toList();
            }
            for (Path socket : sockets) {
                if (!isLeft(socket))
                    return;
                Files.deleteIfExists(socket);
            }
            // One in which a socket was made in the meantime stays: it is not empty.
            Files.deleteIfExists(folder);
            LOG.atInfo().addKeyValue(CommandLogKeys.FOLDER, folder).log("folder of a killed worker removed");
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(CommandLogKeys.REASON, e.toString()).log("folder of egress sockets not removed");
        }
    }

    /// True if it is a socket at which nothing listens.
    private static boolean isLeft(Path socket) {
        if (Files.isRegularFile(socket, LinkOption.NOFOLLOW_LINKS)
                || Files.isDirectory(socket, LinkOption.NOFOLLOW_LINKS)
                || Files.isSymbolicLink(socket))
            return false;
        try (SocketChannel reached = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return !reached.isConnected();
        } catch (IOException e) {
            return true;
        }
    }
}
