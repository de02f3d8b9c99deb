import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import com.marcnuri.helm.Helm;

/// Renders the chart of the first argument with Helm into the folder of the second, once for each file of `values` below
/// that of the third. Helm's lint must find nothing, and Helm must refuse each file of `refused` with the text that its
/// first line names.
class Render {
    private static final String REASON = "# Refused for: ";

    public static void main(String[] args) throws IOException {
        Path chart = Path.of(args[0]);
        Path here = Path.of(args[2]);
        var lint = new Helm(chart).lint().strict().call();
        if (lint.isFailed())
            throw new IllegalStateException(chart + " has errors: " + lint.getMessages());
        for (Path values : files(here.resolve("values")))
            Files.writeString(Path.of(args[1]).resolve(values.getFileName()), render(chart, values));
        for (Path values : files(here.resolve("refused")))
            refuse(chart, values);
        System.out.println("helm: Helm " + Helm.version().call() + " rendered " + files(here.resolve("values")).size()
                + " sets of values, and refused " + files(here.resolve("refused")).size());
    }

    private static void refuse(Path chart, Path values) throws IOException {
        String reason = Files.readAllLines(values).getFirst();
        if (!reason.startsWith(REASON))
            throw new IllegalStateException(values + " begins with '" + reason + "' and must begin with: " + REASON);
        try {
            render(chart, values);
        } catch (IllegalStateException e) {
            if (!e.getMessage().contains(reason.substring(REASON.length())))
                throw new IllegalStateException(values + " is refused for another reason: " + e.getMessage(), e);
            return;
        }
        throw new IllegalStateException(values + " was rendered and must be refused");
    }

    private static String render(Path chart, Path values) {
        return new Helm(chart).template().withName("fleet").withNamespace("agents").withKubeVersion("v1.33.0")
                .withValuesFile(values).call();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
