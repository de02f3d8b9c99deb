/// Use of a model's context window, and its limits.
@NullMarked
package dev.toolfleet.session.window;

import org.jspecify.annotations.NullMarked;
