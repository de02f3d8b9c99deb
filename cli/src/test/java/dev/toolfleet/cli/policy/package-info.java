/// What a policy says about a call, for people.
@NullMarked
package dev.toolfleet.cli.policy;

import org.jspecify.annotations.NullMarked;
