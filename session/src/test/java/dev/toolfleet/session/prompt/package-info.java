@NullMarked
package dev.toolfleet.session.prompt;

import org.jspecify.annotations.NullMarked;
