package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.Choices;
import dev.toolfleet.bundle.Durations;
import dev.toolfleet.bundle.ProblemCode;

/// Checks the JSON type of a value. An absent value passes, unless the method is named required.
final class Shapes {
    private final Findings findings;

    Shapes(Findings findings) {
        this.findings = findings;
    }

    Optional<String> text(Place place) {
        if (!place.present()) {
            return Optional.empty();
        }
        if (!place.node().isString() || place.node().stringValue().isBlank()) {
            wrong(place, "a text that is not blank");
            return Optional.empty();
        }
        return Optional.of(place.node().stringValue());
    }

    Optional<String> requiredText(Place place, String hint) {
        if (!place.present()) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, place, place.path() + " is missing.", hint);
        }
        return text(place);
    }

    void flag(Place place) {
        if (place.present() && !place.node().isBoolean()) {
            wrong(place, "true or false");
        }
    }

    void positiveWhole(Place place) {
        if (place.present() && !(place.node().canConvertToInt() && place.node().isIntegralNumber()
                && place.node().asInt() > 0)) {
            wrong(place, "a positive whole number");
        }
    }

    void positive(Place place) {
        if (place.present() && !(place.node().isNumber() && place.node().asDouble() > 0)) {
            wrong(place, "a positive number");
        }
    }

    /// One of an enum's constants, written `in-lower-case`.
    <E extends Enum<E>> Optional<E> choice(Place place, Class<E> type) {
        Optional<E> choice = Choices.parse(type, place.node().asString(""));
        if (place.present() && choice.isEmpty()) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, place,
                    place.path() + " must be " + Choices.form(type) + ", and is " + place.shown() + ".",
                    Nearest.hint(place.node().asString(""), Choices.texts(type), ""));
        }
        return choice;
    }

    void duration(Place place) {
        if (place.present()
                && !(place.node().isString() && Durations.parse(place.node().stringValue()).isPresent())) {
            wrong(place, Durations.FORM);
        }
    }

    /// True if it is a mapping.
    boolean mapping(Place place) {
        if (place.present() && !place.node().isObject()) {
            wrong(place, "a mapping");
        }
        return place.node().isObject();
    }

    /// Returns its items; none when it is absent or no list.
    List<Place> list(Place place) {
        if (place.present() && !place.node().isArray()) {
            wrong(place, "a list");
        }
        return place.items();
    }

    void wrong(Place place, String expected) {
        findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, place,
                place.path() + " must be " + expected + ", and is " + place.shown() + ".", "");
    }
}
