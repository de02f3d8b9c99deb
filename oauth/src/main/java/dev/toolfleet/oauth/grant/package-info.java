/// Rules for grants and authorizations, without Kafka and HTTP.
@NullMarked
package dev.toolfleet.oauth.grant;

import org.jspecify.annotations.NullMarked;
