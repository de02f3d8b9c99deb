/// Tool name to handler and declaration.
@NullMarked
package dev.toolfleet.worker.registry;

import org.jspecify.annotations.NullMarked;
