/// Error codes of tool calls, and the texts that go with them.
@NullMarked
package dev.toolfleet.error;

import org.jspecify.annotations.NullMarked;
