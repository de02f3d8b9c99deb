package dev.toolfleet.bundle.yaml;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// Counts the real nodes of a document: a node that several aliases share counts once.
final class NodeCount {
    private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private NodeCount() {}

    static int of(Node root) {
        NodeCount count = new NodeCount();
        count.visit(root);
        return count.seen.size();
    }

    private void visit(Node node) {
        if (!seen.add(node)) {
            return;
        }
        if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(tuple -> {
                visit(tuple.getKeyNode());
                visit(tuple.getValueNode());
            });
        } else if (node instanceof SequenceNode sequence) {
            sequence.getValue().forEach(this::visit);
        }
    }
}
