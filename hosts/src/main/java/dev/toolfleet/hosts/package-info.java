/// Processes that run handlers in other languages than Java, and the protocol with which the worker speaks to them.
@NullMarked
package dev.toolfleet.hosts;

import org.jspecify.annotations.NullMarked;
