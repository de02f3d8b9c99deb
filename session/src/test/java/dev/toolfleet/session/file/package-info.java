@NullMarked
package dev.toolfleet.session.file;

import org.jspecify.annotations.NullMarked;
