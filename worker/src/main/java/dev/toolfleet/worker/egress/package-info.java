/// Where tools may connect: names, addresses and ports, and the proxy that leads commands behind walls out.
@NullMarked
package dev.toolfleet.worker.egress;

import org.jspecify.annotations.NullMarked;
