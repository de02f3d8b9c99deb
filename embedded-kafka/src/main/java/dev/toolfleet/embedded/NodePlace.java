package dev.toolfleet.embedded;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.common.Uuid;

/// Place of a broker in a cluster. Every node is broker and controller, and votes.
///
/// @param node its number, from 1
/// @param clusterId of a cluster whose data is new
/// @param controllerPorts the controllers' ports on 127.0.0.1, in the order of their numbers; 0 for a free one, which
///        only a node without others may have
record NodePlace(int node, String clusterId, List<Integer> controllerPorts) {

    NodePlace {
        controllerPorts = List.copyOf(controllerPorts);
        if (node < 1 || node > controllerPorts.size()) {
            throw new IllegalArgumentException(
                    "node is " + node + "; it must be 1 to " + controllerPorts.size() + ", the number of controllers");
        }
    }

    /// The only node of a new cluster.
    static NodePlace alone() {
        return new NodePlace(1, Uuid.randomUuid().toString(), List.of(0));
    }

    /// All nodes of a new cluster.
    static List<NodePlace> cluster(List<Integer> controllerPorts) {
        String clusterId = Uuid.randomUuid().toString();
        List<NodePlace> places = new ArrayList<>();
        for (int node = 1; node <= controllerPorts.size(); node++) {
            places.add(new NodePlace(node, clusterId, controllerPorts));
        }
        return places;
    }

    int nodes() {
        return controllerPorts.size();
    }

    /// 0 for a free one.
    int controllerPort() {
        return controllerPorts.get(node - 1);
    }

    /// Returns the addresses of the voters by node.
    ///
    /// @param own the address of this node
    Map<Integer, InetSocketAddress> voters(InetSocketAddress own) {
        Map<Integer, InetSocketAddress> voters = new HashMap<>();
        for (int each = 1; each <= nodes(); each++) {
            voters.put(each, each == node
                    ? own
                    : new InetSocketAddress(InetAddress.ofLiteral(ListenSockets.HOST), controllerPorts.get(each - 1)));
        }
        return voters;
    }
}
