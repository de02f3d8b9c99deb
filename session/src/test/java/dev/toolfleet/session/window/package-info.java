@NullMarked
package dev.toolfleet.session.window;

import org.jspecify.annotations.NullMarked;
