/// Greets people.
public final class Greeter {
    private final String language;

    public Greeter(String language) {
        this.language = language;
    }

    public String greet(String name) {
        return Languages.greeting(language).formatted(name);
    }

    public static void main(String[] names) {
        for (String name : names)
            System.out.println(new Greeter("en").greet(name));
    }
}
