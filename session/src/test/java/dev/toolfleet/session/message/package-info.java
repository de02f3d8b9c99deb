@NullMarked
package dev.toolfleet.session.message;

import org.jspecify.annotations.NullMarked;
