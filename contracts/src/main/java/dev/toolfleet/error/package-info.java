/// Error codes of tool calls, and their texts.
@NullMarked
package dev.toolfleet.error;

import org.jspecify.annotations.NullMarked;
