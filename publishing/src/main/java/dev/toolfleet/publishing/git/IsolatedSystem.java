package dev.toolfleet.publishing.git;

import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;

/// Keeps the settings of the machine's user and its git command out: programs, filters and proxies that they name have
/// no place in a worker.
final class IsolatedSystem extends SystemReader.Delegate {
    private IsolatedSystem(SystemReader system) {
        super(system);
    }

    static void install() {
        if (!(SystemReader.getInstance() instanceof IsolatedSystem))
            SystemReader.setInstance(new IsolatedSystem(SystemReader.getInstance()));
    }

    @Override
    public FileBasedConfig openUserConfig(Config parent, FS fs) {
        return empty(parent, fs);
    }

    @Override
    public FileBasedConfig openSystemConfig(Config parent, FS fs) {
        return empty(parent, fs);
    }

    @Override
    public FileBasedConfig openJGitConfig(Config parent, FS fs) {
        return empty(parent, fs);
    }

    private static FileBasedConfig empty(Config parent, FS fs) {
        return new FileBasedConfig(parent, null, fs) {
            @Override
            public void load() {
                // Nothing is read.
            }

            @Override
            public void save() {
                // JGit would keep measurements of the disks; the next process takes them again.
            }

            @Override
            public boolean isOutdated() {
                return false;
            }
        };
    }
}
