/// The project's tests, without a library. The last line is their summary.
final class GreeterTest {
    private static int passed;

    public static void main(String[] none) {
        equal("Hello, Ada!", new Greeter("en").greet("Ada"));
        equal("¡Hola, Ada!", new Greeter("es").greet("Ada"));
        equal("Grace님, 안녕하세요!", new Greeter("ko").greet("Grace"));
        System.out.println(passed + " tests passed");
    }

    private static void equal(String expected, String actual) {
        if (!expected.equals(actual))
            throw new AssertionError("expected " + expected + ", not " + actual);
        passed++;
    }
}
