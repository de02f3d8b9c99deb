@NullMarked
package dev.toolfleet.session.transcript;

import org.jspecify.annotations.NullMarked;
