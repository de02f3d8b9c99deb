/// Tests of the read model's run and of reads between replicas.
@NullMarked
package dev.toolfleet.gateway.readmodel;

import org.jspecify.annotations.NullMarked;
