/// Read model in this process: its topology's run, waiting reads, and the forwarding of reads between replicas.
@NullMarked
package dev.toolfleet.gateway.readmodel;

import org.jspecify.annotations.NullMarked;
