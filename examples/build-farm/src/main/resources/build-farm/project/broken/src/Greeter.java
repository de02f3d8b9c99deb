/// Greets people, or would.
public final class Greeter {
    private final String language;

    public Greeter(String language) {
        this.language = language;
    }

    public int greet(String name) {
        return Languages.greeting(language).formatted(name);
    }
}
