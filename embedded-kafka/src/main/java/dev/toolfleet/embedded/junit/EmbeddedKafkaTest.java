package dev.toolfleet.embedded.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/// Gives the tests of a class a [KafkaFixture] parameter, on the one broker of this JVM. See [EmbeddedKafkaExtension].
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(EmbeddedKafkaExtension.class)
public @interface EmbeddedKafkaTest {}
