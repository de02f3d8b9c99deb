@NullMarked
package dev.toolfleet.session.tokens;

import org.jspecify.annotations.NullMarked;
