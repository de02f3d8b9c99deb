package dev.toolfleet.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;

/// Top-level types that need each other inside one package. A sealed type and those that it permits count as one.
final class TypeCycles {
    private final Map<String, Set<String>> needs;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final Set<String> isOpen = new HashSet<>();
    private final List<String> found = new ArrayList<>();

    private TypeCycles(Map<String, Set<String>> needs) {
        this.needs = needs;
    }

    static TypeCycles of(Iterable<JavaClass> classes) {
        Map<String, Set<String>> needs = new TreeMap<>();
        for (JavaClass from : classes) {
            String type = type(from);
            Set<String> others = needs.computeIfAbsent(type, _ -> new TreeSet<>());
            for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
                JavaClass to = dependency.getTargetClass().getBaseComponentType();
                if (to.getPackageName().equals(from.getPackageName()) && !type(to).equals(type))
                    others.add(type(to));
            }
        }
        return new TypeCycles(needs);
    }

    /// Each as its package and the names of its types.
    List<String> found() {
        needs.keySet().stream().filter(type -> !numbers.containsKey(type)).forEach(this::visit);
        return found;
    }

    /// Tarjan's strongly connected components.
    private void visit(String type) {
        numbers.put(type, numbers.size());
        lowest.put(type, numbers.get(type));
        open.push(type);
        isOpen.add(type);
        for (String other : needs.getOrDefault(type, Set.of())) {
            if (!numbers.containsKey(other)) {
                visit(other);
                lowest.merge(type, lowest.get(other), Math::min);
            } else if (isOpen.contains(other)) {
                lowest.merge(type, numbers.get(other), Math::min);
            }
        }
        if (lowest.get(type).equals(numbers.get(type)))
            close(type);
    }

    private void close(String type) {
        Set<String> circle = new TreeSet<>();
        String last;
        do {
            last = open.pop();
            isOpen.remove(last);
            circle.add(last.substring(last.lastIndexOf('.') + 1));
        } while (!last.equals(type));
        if (circle.size() > 1)
            found.add(type.substring("dev.toolfleet.worker.".length(), type.lastIndexOf('.')) + ": "
                    + String.join(" ", circle));
    }

    /// The name of the type's top-level class, or of the sealed type of its package that permits it.
    private static String type(JavaClass type) {
        Class<?> top = type.reflect();
        while (top.getEnclosingClass() != null)
            top = top.getEnclosingClass();
        for (Class<?> parent : parents(top)) {
            if (parent.isSealed() && parent.getPackage().equals(top.getPackage()) && parent.getEnclosingClass() == null)
                return parent.getName();
        }
        return top.getName();
    }

    private static List<Class<?>> parents(Class<?> type) {
        List<Class<?>> parents = new ArrayList<>(List.of(type.getInterfaces()));
        if (type.getSuperclass() != null)
            parents.add(type.getSuperclass());
        return parents;
    }
}
