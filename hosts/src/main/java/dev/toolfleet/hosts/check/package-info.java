/// Check of a host against the host protocol, from outside.
@NullMarked
package dev.toolfleet.hosts.check;

import org.jspecify.annotations.NullMarked;
