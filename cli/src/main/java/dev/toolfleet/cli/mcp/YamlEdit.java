package dev.toolfleet.cli.mcp;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.DocPath;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.SourcePosition;
import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.cli.terminal.Failure;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Change of one value in a YAML file. The other lines, comments included, stay as they are. Pure.
///
/// **Contract.** The result has been read again and differs from the original in that value alone. A text for which
/// this does not hold, such as a mapping in braces, is refused.
final class YamlEdit {
    private final String file;
    private final List<String> lines;
    private final Resource resource;
    private final int index;
    private final List<ObjectNode> documents;

    private YamlEdit(String text, List<Resource> resources, int index) {
        this.resource = resources.get(index);
        this.file = resource.file();
        this.lines = new ArrayList<>(List.of(text.split("\n", -1)));
        this.index = index;
        this.documents = resources.stream().map(each -> each.document().deepCopy()).toList();
    }

    /// Edit of one resource of a file.
    ///
    /// @param file its name, for messages
    static YamlEdit of(String file, String text, String kind, String name) {
        List<Resource> resources = read(file, text);
        for (int i = 0; i < resources.size(); i++) {
            if (resources.get(i).kind().equals(kind) && resources.get(i).name().equals(name))
                return new YamlEdit(text, resources, i);
        }
        throw Failure.invalid(file + ": there is no " + kind + "/" + name);
    }

    static List<Resource> read(String file, String text) {
        LinkedHashMap<String, String> texts = new LinkedHashMap<>();
        texts.put(file, text);
        return BundleLoader.parse(Path.of(""), texts).bundle().resources();
    }

    /// Sets the value at a path of keys, and makes the mappings that lead to it.
    ///
    /// @return the new text
    String put(List<String> path, ObjectNode value) {
        ObjectNode changed = documents.get(index);
        ObjectNode parent = changed;
        for (String key : path.subList(0, path.size() - 1))
            parent = parent.path(key) instanceof ObjectNode next ? next : parent.putObject(key);
        parent.set(path.getLast(), value);
        write(path, value);
        return checked(path);
    }

    /// Removes the value at a path of keys.
    ///
    /// @return the new text
    String remove(List<String> path) {
        JsonNode parent = documents.get(index);
        for (String key : path.subList(0, path.size() - 1))
            parent = parent.path(key);
        ObjectNode holder = (ObjectNode) parent;
        holder.remove(path.getLast());
        if (holder.isEmpty()) {
            List<String> above = path.subList(0, path.size() - 1);
            int key = line(at(above));
            int column = column(at(above));
            replace(key, end(key, column), List.of(" ".repeat(column) + YamlValue.key(above.getLast()) + ": {}"));
        } else {
            int key = line(at(path));
            replace(key, end(key, column(at(path))), List.of());
        }
        return checked(path);
    }

    private void write(List<String> path, ObjectNode value) {
        List<String> above = path.subList(0, path.size() - 1);
        Optional<SourcePosition> known = key(path);
        if (known.isPresent()) {
            int key = line(known.get());
            int column = column(known.get());
            replace(key, end(key, column), YamlValue.entry(path.getLast(), value, column));
            return;
        }
        JsonNode parent = resource.document();
        for (String key : above)
            parent = parent.path(key);
        if (!(parent instanceof ObjectNode siblings) || siblings.isEmpty()) {
            ObjectNode wrapped = value.objectNode();
            wrapped.set(path.getLast(), value);
            write(above, wrapped);
            return;
        }
        int column = -1;
        int last = -1;
        for (String sibling : siblings.propertyNames()) {
            SourcePosition position = at(join(above, sibling));
            column = column(position);
            last = Math.max(last, end(line(position), column));
        }
        lines.addAll(last, YamlValue.entry(path.getLast(), value, column));
    }

    private static List<String> join(List<String> path, String key) {
        List<String> joined = new ArrayList<>(path);
        joined.add(key);
        return joined;
    }

    private Optional<SourcePosition> key(List<String> path) {
        DocPath at = DocPath.ROOT;
        for (String key : path)
            at = at.key(key);
        return Optional.ofNullable(resource.source().keys().get(at));
    }

    private SourcePosition at(List<String> path) {
        return key(path).orElseThrow(() -> refused(path));
    }

    private int column(SourcePosition key) {
        return key.column() - 1;
    }

    /// Returns the index of the line of a key, which must begin it.
    private int line(SourcePosition key) {
        int line = key.line() - 1;
        if (!lines.get(line).substring(0, column(key)).isBlank())
            throw Failure.invalid(file + ":" + key.line()
                    + ": this mapping is written in braces or begins a list item; write it as an indented block first");
        return line;
    }

    /// Returns the index of the line after an entry of a block mapping. Empty lines and comments after it are not its.
    private int end(int key, int column) {
        int end = key + 1;
        for (int at = end; at < lines.size() && belongs(lines.get(at), column); at++) {
            if (!lines.get(at).isBlank())
                end = at + 1;
        }
        return end;
    }

    private static boolean belongs(String line, int column) {
        if (line.isBlank())
            return true;
        int indent = line.length() - line.stripLeading().length();
        return indent > column || (indent == column && (line.startsWith("- ", indent) || line.strip().equals("-")));
    }

    private void replace(int from, int to, List<String> with) {
        lines.subList(from, to).clear();
        lines.addAll(from, with);
    }

    private String checked(List<String> path) {
        String text = String.join("\n", lines);
        List<ObjectNode> now = read(file, text).stream().map(Resource::document).toList();
        if (!now.equals(documents))
            throw refused(path);
        return text;
    }

    private Failure refused(List<String> path) {
        return Failure.invalid(file + ": " + String.join(".", path) + " of " + resource.id()
                + " cannot be changed without a change of other lines; change it in an editor");
    }
}
