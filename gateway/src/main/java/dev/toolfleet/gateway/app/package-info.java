/// The gateway's process: its parts, assembled.
@NullMarked
package dev.toolfleet.gateway.app;

import org.jspecify.annotations.NullMarked;
