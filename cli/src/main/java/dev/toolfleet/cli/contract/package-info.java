/// The contract of a bundle's Tools, run against their code.
@NullMarked
package dev.toolfleet.cli.contract;

import org.jspecify.annotations.NullMarked;
