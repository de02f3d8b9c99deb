/// `toolfleet audit`: verifies the chains of `tool.audit`, and prints their heads.
@NullMarked
package dev.toolfleet.cli.audit;

import org.jspecify.annotations.NullMarked;
