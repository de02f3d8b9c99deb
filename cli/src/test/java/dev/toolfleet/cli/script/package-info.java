/// How scripts are read and scheduled.
@NullMarked
package dev.toolfleet.cli.script;

import org.jspecify.annotations.NullMarked;
