/// Interfaces for tool authors: the module, its handlers and their context.
@NullMarked
package dev.toolfleet.tool;

import org.jspecify.annotations.NullMarked;
