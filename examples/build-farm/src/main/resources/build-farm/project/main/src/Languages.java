import java.util.Map;

/// Greetings by language.
final class Languages {
    private static final Map<String, String> GREETINGS = Map.of("en", "Hello, %s!", "es", "¡Hola, %s!", "ko",
            "%s님, 안녕하세요!");

    private Languages() {}

    static String greeting(String language) {
        String greeting = GREETINGS.get(language);
        if (greeting == null)
            throw new IllegalArgumentException("no greeting in '" + language + "'");
        return greeting;
    }
}
