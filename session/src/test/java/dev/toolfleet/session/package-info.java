@NullMarked
package dev.toolfleet.session;

import org.jspecify.annotations.NullMarked;
