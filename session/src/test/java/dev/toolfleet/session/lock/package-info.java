@NullMarked
package dev.toolfleet.session.lock;

import org.jspecify.annotations.NullMarked;
