/// Tests of the registry.
@NullMarked
package dev.toolfleet.worker.registry;

import org.jspecify.annotations.NullMarked;
