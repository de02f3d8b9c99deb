package dev.toolfleet.publishing.changeset;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.publishing.git.GitFile;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChangesTest {
    @Test
    void whatDiffersIsAddedChangedOrDeleted() {
        Changes changes = Changes.between(files("a", 1, "b", 1, "c", 1), files("b", 2, "c", 1, "d", 1));

        assertThat(changes.added()).containsOnlyKeys("d");
        assertThat(changes.changed()).containsOnlyKeys("b");
        assertThat(changes.deleted()).containsExactly("a");
        assertThat(changes.paths()).containsExactly("a", "b", "d");
        assertThat(changes.on(files("a", 1, "b", 1, "c", 1))).isEqualTo(files("b", 2, "c", 1, "d", 1));
    }

    @Test
    void aRightToRunIsADifference() {
        SortedMap<String, GitFile> runs = new TreeMap<>(
                Map.of("a", new GitFile(id(1), GitFile.Type.EXECUTABLE)));

        assertThat(Changes.between(files("a", 1), runs).changed()).containsOnlyKeys("a");
    }

    @Test
    void aFileThatOthersChangedToSomethingElseIsAConflict() {
        SortedMap<String, GitFile> base = files("a", 1, "b", 1, "c", 1);
        Changes changes = Changes.between(base, files("a", 2, "c", 1, "n", 1));

        assertThat(changes.conflicts(base, base)).isEmpty();
        assertThat(changes.conflicts(base, files("a", 1, "b", 1, "c", 9))).isEmpty();
        assertThat(changes.conflicts(base, files("a", 3, "b", 1, "c", 1))).containsExactly("a");
        assertThat(changes.conflicts(base, files("a", 1, "b", 3, "c", 1))).containsExactly("b");
        assertThat(changes.conflicts(base, files("a", 1, "b", 1, "c", 1, "n", 2))).containsExactly("n");
    }

    @Test
    void theSameChangeOfOthersIsNone() {
        SortedMap<String, GitFile> base = files("a", 1, "b", 1);
        Changes changes = Changes.between(base, files("a", 2));

        assertThat(changes.conflicts(base, files("a", 2))).isEmpty();
    }

    /// Git has no path that is a file and a folder.
    @Test
    void aFileWhereOthersMadeAFolderIsAConflict() {
        SortedMap<String, GitFile> base = files("a", 1);

        assertThat(Changes.between(base, files("a", 1, "n", 1)).conflicts(base, files("a", 1, "n/x", 1)))
                .containsExactly("n");
        assertThat(Changes.between(base, files("a", 1, "n/x", 1)).conflicts(base, files("a", 1, "n", 1)))
                .containsExactly("n/x");
    }

    private static SortedMap<String, GitFile> files(Object... pathsAndContents) {
        SortedMap<String, GitFile> files = new TreeMap<>();
        for (int i = 0; i < pathsAndContents.length; i += 2)
            files.put((String) pathsAndContents[i], new GitFile(id((Integer) pathsAndContents[i + 1]),
                    GitFile.Type.REGULAR));
        return files;
    }

    private static ObjectId id(int content) {
        return ObjectId.fromString("%040d".formatted(content));
    }
}
