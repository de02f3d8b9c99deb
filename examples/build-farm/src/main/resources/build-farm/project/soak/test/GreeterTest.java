/// Greets for two minutes: a build to cancel.
final class GreeterTest {
    public static void main(String[] none) throws InterruptedException {
        int passed = 0;
        for (long end = System.nanoTime() + 120_000_000_000L; System.nanoTime() < end; passed++) {
            if (!new Greeter("en").greet("Ada").equals("Hello, Ada!"))
                throw new AssertionError("greeting " + passed + " was another");
            Thread.sleep(10);
        }
        System.out.println(passed + " tests passed");
    }
}
