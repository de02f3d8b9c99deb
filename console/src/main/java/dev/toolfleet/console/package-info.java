/// Console: pages for people, served by the gateway.
@NullMarked
package dev.toolfleet.console;

import org.jspecify.annotations.NullMarked;
