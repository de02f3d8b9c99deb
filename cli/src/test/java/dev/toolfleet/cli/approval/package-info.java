/// Tests of approvals on the command line.
@NullMarked
package dev.toolfleet.cli.approval;

import org.jspecify.annotations.NullMarked;
