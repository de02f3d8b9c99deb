/// Where a call is, and why: what the topics and the workers say of it, and what follows from that.
@NullMarked
package dev.toolfleet.cli.explain;

import org.jspecify.annotations.NullMarked;
