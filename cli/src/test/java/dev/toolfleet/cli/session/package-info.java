@NullMarked
package dev.toolfleet.cli.session;

import org.jspecify.annotations.NullMarked;
