package dev.toolfleet.bench.effect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The folder with one effect file for each worker process, called by the worker's name and the number of its process:
/// a worker may come back under its name.
public final class EffectFiles {
    private static final String SUFFIX = ".effects";
    private static final char BEFORE_NUMBER = '.';

    private EffectFiles() {}

    /// File of the tools of one worker process.
    ///
    /// @param process no other process of the run has this number
    public static Path of(Path folder, String worker, int process) {
        return folder.resolve(worker + BEFORE_NUMBER + process + SUFFIX);
    }

    /// Everything that workers wrote, in no particular order. A last line that was cut short is left out.
    public static List<HandlerStart> read(Path folder) throws IOException {
        List<HandlerStart> effects = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(SUFFIX)).sorted().toList()) {
                String name = String.valueOf(file.getFileName());
                String process = name.substring(0, name.length() - SUFFIX.length());
                effects.addAll(parse(process.substring(0, process.lastIndexOf(BEFORE_NUMBER)),
                        Files.readString(file, StandardCharsets.UTF_8)));
            }
        }
        return effects;
    }

    /// The content of one worker's file.
    static List<HandlerStart> parse(String worker, String text) {
        List<EffectLine> begun = new ArrayList<>();
        Map<Long, EffectLine> ends = new HashMap<>();
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        whole.lines().flatMap(line -> EffectLine.parse(line).stream()).forEach(line -> {
            switch (line.mark()) {
                case BEGIN -> begun.add(line);
                case END, CUT -> ends.put(line.run(), line);
            }
        });
        return begun.stream()
                .map(line -> new HandlerStart(line.callId(), line.instance(), line.kind(), line.attempt(), worker,
                        line.at(), Optional.ofNullable(ends.get(line.run())).map(EffectLine::at)))
                .toList();
    }
}
