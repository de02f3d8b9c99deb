package dev.toolfleet.layers;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import org.jspecify.annotations.Nullable;

/// Rows of a module's packages from the top down: a package imports from rows below its own, never from its own row.
///
/// A name in a row is a package with those below it; `name.*` is each package below `name` for itself. The longest name
/// counts.
///
/// @param root the packages' common prefix, with its last dot
public record LayerRows(String root, List<List<String>> rows) {
    /// The place of a class.
    ///
    /// @param row counted from the top
    /// @param layer inside which imports are free
    private record Place(int row, String layer) {}

    /// Reads rows, one a line, with blanks between the names.
    public static LayerRows of(String root, String rows) {
        return new LayerRows(root, rows.lines().map(row -> List.of(row.split(" +"))).toList());
    }

    /// Returns the imports that do not go down; empty if the rule holds.
    ///
    /// @throws IllegalStateException if a class stands in no row
    public Set<String> upwards(JavaClasses classes) {
        Set<String> upwards = new TreeSet<>();
        for (JavaClass from : classes) {
            Place place = place(from);
            for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
                JavaClass to = dependency.getTargetClass();
                if (!classes.contain(to.getName()))
                    continue;
                Place target = place(to);
                if (!place.layer().equals(target.layer()) && place.row() >= target.row())
                    upwards.add(from.getName() + " -> " + to.getName());
            }
        }
        return upwards;
    }

    private Place place(JavaClass type) {
        String whole = type.getPackageName();
        String name = whole.startsWith(root) ? whole.substring(root.length()) : "";
        for (String prefix = name; !prefix.isEmpty(); prefix = parent(prefix)) {
            Place found = found(prefix, prefix);
            if (found == null && !parent(prefix).isEmpty())
                found = found(parent(prefix) + ".*", prefix);
            if (found != null)
                return found;
        }
        throw new IllegalStateException(whole + " has no row");
    }

    private @Nullable Place found(String spelling, String layer) {
        for (int row = 0; row < rows.size(); row++) {
            if (rows.get(row).contains(spelling))
                return new Place(row, layer);
        }
        return null;
    }

    private static String parent(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(0, dot);
    }
}
