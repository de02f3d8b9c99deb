package dev.toolfleet.publishing.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.TreeFormatter;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/// Bare repositories for tests, with commits of someone else.
public final class Repositories {
    private Repositories() {}

    /// Makes one with an empty commit on `main`.
    public static GitAddress create(Path folder) throws IOException {
        IsolatedSystem.install();
        try (Repository repository = FileRepositoryBuilder.create(folder.toFile())) {
            repository.create(true);
            try (ObjectInserter inserter = repository.newObjectInserter()) {
                CommitBuilder commit = new CommitBuilder();
                commit.setTreeId(inserter.insert(new TreeFormatter()));
                PersonIdent person = new PersonIdent("ann", "ann@localhost", Instant.EPOCH, ZoneOffset.UTC);
                commit.setAuthor(person);
                commit.setCommitter(person);
                commit.setMessage("Begin\n");
                ObjectId id = inserter.insert(commit);
                inserter.flush();
                var update = repository.updateRef("refs/heads/main");
                update.setNewObjectId(id);
                update.update();
                repository.updateRef("HEAD").link("refs/heads/main");
            }
        }
        return GitAddress.parse(folder.toUri().toString());
    }

    /// Keeps a text in the copy, and returns its file.
    static GitFile regular(GitRepository git, String text) throws GitException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        git.insert(List.of(content));
        return new GitFile(GitFile.id(content), GitFile.Type.REGULAR);
    }

    /// Commits texts to the branch; an empty text removes the file. Returns the commit's id.
    public static String push(GitAddress address, String message, Map<String, String> texts) throws Exception {
        try (GitRepository git = GitRepository.open(address, Optional.empty())) {
            ObjectId head = git.fetch();
            SortedMap<String, GitFile> files = new TreeMap<>(git.files(head, ""));
            for (Map.Entry<String, String> text : texts.entrySet()) {
                if (text.getValue().isEmpty())
                    files.remove(text.getKey());
                else
                    files.put(text.getKey(), regular(git, text.getValue()));
            }
            ObjectId made = git.commit(head, "", files, "ann", Instant.EPOCH, message);
            if (!git.push(made, head))
                throw new IllegalStateException("the branch moved");
            return made.name();
        }
    }
}
