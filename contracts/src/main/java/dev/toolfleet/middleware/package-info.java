/// Interfaces for extension authors: the onions around each tool call and around the making of each step's catalog.
@NullMarked
package dev.toolfleet.middleware;

import org.jspecify.annotations.NullMarked;
