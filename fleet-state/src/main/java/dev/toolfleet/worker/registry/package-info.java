/// Registry of tools: finds declaration and handler by a tool's name.
@NullMarked
package dev.toolfleet.worker.registry;

import org.jspecify.annotations.NullMarked;
