package dev.toolfleet.bundle;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// An enum's constants as bundles write them: `REQUIRE_APPROVAL` is `require-approval`.
public final class Choices {
    private Choices() {}

    /// The constant of that text.
    public static <E extends Enum<E>> Optional<E> parse(Class<E> type, String text) {
        return Stream.of(type.getEnumConstants()).filter(constant -> text(constant).equals(text)).findFirst();
    }

    /// All texts, in order.
    public static <E extends Enum<E>> List<String> texts(Class<E> type) {
        return Stream.of(type.getEnumConstants()).map(Choices::text).toList();
    }

    /// Returns the accepted texts, for messages.
    public static <E extends Enum<E>> String form(Class<E> type) {
        List<String> texts = texts(type);
        return String.join(", ", texts.subList(0, texts.size() - 1)) + " or " + texts.getLast();
    }

    /// The text of one.
    public static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
