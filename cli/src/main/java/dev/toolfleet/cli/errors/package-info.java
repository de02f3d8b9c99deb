/// `toolfleet errors`: which calls failed, counted from `tool.error`.
@NullMarked
package dev.toolfleet.cli.errors;

import org.jspecify.annotations.NullMarked;
