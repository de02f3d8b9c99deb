/// Grants of people to tools, for operators.
@NullMarked
package dev.toolfleet.cli.grant;

import org.jspecify.annotations.NullMarked;
