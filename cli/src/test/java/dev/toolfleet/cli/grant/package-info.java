@NullMarked
package dev.toolfleet.cli.grant;

import org.jspecify.annotations.NullMarked;
