import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import dev.toolfleet.cli.command.CommandContext;
import dev.toolfleet.cli.command.ToolfleetCommand;
import dev.toolfleet.cli.fleet.CatalogSettings;
import dev.toolfleet.cli.fleet.GatewaySettings;
import dev.toolfleet.cli.fleet.SessionSettings;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.access.Role;
import dev.toolfleet.config.Effective;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.worker.app.WorkerConfig;
import dev.toolfleet.worker.telemetry.CallMeters;
import dev.toolfleet.worker.telemetry.LoadMeters;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;

/// Compares names in rendered manifests with the code in toolfleet.jar: settings with the Secrets of docs/kubernetes.md,
/// ports, paths of probes, commands with their options, roles, metrics, and the figures of the scaler. The first argument
/// is the folder of the manifests. At the end some names are changed, and each change must be found.
class Names {
    private static final Pattern SECRET = Pattern.compile("kubectl create secret generic (\\S+) \\\\\n((?:  .*\n)+)");
    private static final Pattern LITERAL = Pattern.compile("--from-literal=(\\w+)=(\\S+)");
    private static final Pattern COMMAND = Pattern.compile("(?m)^toolfleet (.+)$");
    private static final Pattern METRIC = Pattern.compile("\\btoolfleet_\\w+");
    private static final Map<List<String>, String> ANSWERS = new HashMap<>();

    private final String text;
    private final List<String> problems = new ArrayList<>();
    private int compared;

    private Names(String text) {
        this.text = text;
    }

    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        boolean right = true;
        for (String set : List.of("default", "everything", "least")) {
            Names names = new Names(Files.readString(Path.of(args[0], set + ".yaml")));
            names.check();
            System.out.println("helm: " + set + ": " + names.compared + " names compared with the code, "
                    + names.problems.size() + " problems");
            names.problems.forEach(problem -> System.err.println("  " + problem));
            right &= names.problems.isEmpty() && names.compared > 0;
        }
        String good = Files.readString(Path.of(args[0], "everything.yaml"));
        for (var defect : Map.of("WORKER_DRAIN_TIMEOUT", "WORKER_DRAIN_TIME", "containerPort: 7073", "containerPort: 7075",
                "/health/ready", "/health/fine", "args: [session-service]", "args: [sessions]", "--replication", "--copies",
                "--role gateway", "--role gate", "toolfleet_backlog_effective", "toolfleet_backlog",
                "toolfleet_calls_received_total", "toolfleet_calls_read_total", "secretRef: {name: toolfleet-gateway}",
                "secretRef: {name: toolfleet-worker}").entrySet()) {
            Names names = new Names(good.replace(defect.getKey(), defect.getValue()));
            names.check();
            boolean found = !names.text.equals(good) && !names.problems.isEmpty();
            System.out.println("helm: " + (found ? "found " : "did NOT find ") + defect.getValue()
                    + (found ? ": " + names.problems.getFirst() : ""));
            right &= found;
        }
        System.exit(right ? 0 : 1);
    }

    private void check() throws IOException, ReflectiveOperationException {
        for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
            JsonNode manifest = Json.MAPPER.valueToTree(document);
            for (JsonNode container : manifest.at("/spec/template/spec/containers")) {
                if (manifest.path("kind").asString().equals("Deployment"))
                    process(container);
                else
                    commands(container.path("args").path(0).asString());
                settings(container);
            }
            for (JsonNode trigger : manifest.at("/spec/triggers"))
                metrics(trigger.at("/metadata/query").asString());
            if (manifest.path("kind").asString().equals("ScaledObject"))
                figures(manifest.path("spec"));
        }
    }

    /// The variables of a process, with those of its Secret, make settings with which it could start.
    private void settings(JsonNode container) throws IOException {
        Map<String, String> environment = environment(container);
        String name = container.path("name").asString();
        compared += environment.size();
        try {
            FleetConfig fleet = FleetConfig.parse("", environment, Map.of());
            switch (name) {
                case "worker" -> WorkerConfig.of(fleet.kafka(), fleet.topics(), fleet.worker(), "worker-1");
                case "catalog" -> CatalogSettings.http(fleet).orElseThrow();
                case "session" -> SessionSettings.of(fleet);
                case "gateway" -> GatewaySettings.of(fleet).orElseThrow();
                case "setup" -> fleet.kafka();
                default -> problems.add("the container " + name + " is of no known process");
            }
            if (!name.equals("setup"))
                ports(container, fleet);
        } catch (RuntimeException e) {
            problems.add(name + ": " + e.getMessage());
        }
    }

    private Map<String, String> environment(JsonNode container) throws IOException {
        Map<String, String> environment = new TreeMap<>();
        for (JsonNode variable : container.path("env"))
            environment.put(variable.path("name").asString(),
                    variable.path("value").asString("").replace("$(POD_IP)", "10.0.0.7"));
        String secret = container.at("/envFrom/0/secretRef/name").asString();
        Map<String, String> content = secrets().get(secret);
        if (content == null)
            problems.add("docs/kubernetes.md makes no Secret " + secret);
        else
            environment.putAll(content);
        // As docs/kubernetes.md has it: this one is left out without session services.
        if (!text.contains("name: TOOLFLEET_GATEWAY_SESSION_URL"))
            environment.remove("TOOLFLEET_GATEWAY_SESSION_TOKEN");
        return environment;
    }

    private void ports(JsonNode container, FleetConfig fleet) {
        Map<String, String> effective = fleet.effective().stream()
                .collect(Collectors.toMap(Effective::key, setting -> String.valueOf(setting.value())));
        String name = container.path("name").asString();
        for (JsonNode port : container.path("ports")) {
            String key = name + "." + port.path("name").asString() + ".port";
            expect(key + " and its port", effective.get(key), port.path("containerPort").asString());
        }
        boolean open = effective.get(name + ".http.address").equals("0.0.0.0");
        boolean guarded = name.equals("gateway")
                ? !effective.getOrDefault("gateway.internal.token", "").isEmpty()
                : !effective.getOrDefault(name + ".http.token", "").isEmpty();
        expect(name + " is open with a token", "true true", open + " " + guarded);
    }

    private void process(JsonNode container) throws IOException {
        String command = container.path("args").path(0).asString();
        expect("the command " + command, "true", run(command, "--help").contains("Usage: toolfleet " + command + " "));
        Set<String> paths = new TreeSet<>();
        Json.MAPPER.readTree(Files.readString(Path.of("docs/openapi.json"))).path("paths").propertyNames()
                .forEach(paths::add);
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            String path = container.at("/" + probe + "/httpGet/path").asString();
            expect(probe + " of " + command + " asks " + path, "true", paths.contains(path));
        }
    }

    /// Each command of the job is one, and its help has each option.
    private void commands(String script) {
        for (Matcher line = COMMAND.matcher(script); line.find();) {
            List<String> words = List.of(line.group(1).split(" "));
            List<String> command = words.subList(0, words.getFirst().equals("topics") ? 2 : 1);
            List<String> help = new ArrayList<>(command);
            help.add("--help");
            String answer = run(help.toArray(String[]::new));
            expect("usage of " + line.group(), "true", answer.contains("Usage: toolfleet " + String.join(" ", command)));
            words.stream().filter(word -> word.startsWith("--"))
                    .forEach(option -> expect("option " + option, "true", answer.contains(option + "=")));
            int role = words.indexOf("--role");
            if (role >= 0)
                expect("role " + words.get(role + 1), "true", roles().contains(words.get(role + 1)));
        }
    }

    /// The schema of the values allows the roles that there are.
    private static Set<String> roles() {
        try {
            JsonNode schema = Json.MAPPER.readTree(Files.readString(Path.of("docker/helm/values.schema.json")));
            Set<String> allowed = new TreeSet<>();
            schema.at("/properties/setup/properties/acl/propertyNames/enum").forEach(role -> allowed.add(role.asString()));
            Set<String> roles = Arrays.stream(Role.values()).map(role -> role.name().toLowerCase())
                    .collect(Collectors.toCollection(TreeSet::new));
            return allowed.equals(roles) ? roles : Set.of();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void metrics(String query) throws ReflectiveOperationException {
        Set<String> names = new TreeSet<>();
        for (Class<?> type : List.of(CallMeters.class, LoadMeters.class)) {
            for (Field field : type.getFields()) {
                if (field.getType() == String.class && field.get(null) instanceof String name)
                    names.add(name.replace('.', '_'));
            }
        }
        for (Matcher metric = METRIC.matcher(query); metric.find();)
            expect("metric " + metric.group(), "true", names.contains(metric.group().replaceFirst("_total$", "")));
    }

    /// The scaler's rate is one that docs/performance.md has measured, and docs/kubernetes.md names its thresholds.
    private void figures(JsonNode scaler) throws IOException {
        List<String> thresholds = StreamSupport.stream(scaler.path("triggers").spliterator(), false)
                .map(trigger -> "%,d".formatted(Integer.valueOf(trigger.at("/metadata/threshold").asString()))).toList();
        String measured = Files.readString(Path.of("docs/performance.md"));
        Matcher row = Pattern.compile("bench rate --rate \\d+ --work 10ms[^|]*(?:\\|[^\n]*\n){2}\\|[^|]*\\| toolfleet \\| *([\\d,]+) \\|")
                .matcher(measured);
        expect("calls a second in docs/performance.md", row.find() ? row.group(1) : "none", thresholds.get(1));
        String text = Files.readString(Path.of("docs/kubernetes.md"));
        for (String threshold : thresholds)
            expect("docs/kubernetes.md names " + threshold, "true", text.contains(threshold));
    }

    /// The content of each Secret, as the commands of docs/kubernetes.md make it.
    private static Map<String, Map<String, String>> secrets() throws IOException {
        Map<String, Map<String, String>> secrets = new TreeMap<>();
        for (Matcher secret = SECRET.matcher(Files.readString(Path.of("docs/kubernetes.md"))); secret.find();) {
            Map<String, String> content = new TreeMap<>();
            for (Matcher literal = LITERAL.matcher(secret.group(2)); literal.find();) {
                String value = literal.group(2);
                boolean made = value.contains("$");
                content.put(literal.group(1), !made ? value
                        : literal.group(1).endsWith("TOKENHASH") ? Digests.sha256(literal.group(1).getBytes(StandardCharsets.UTF_8))
                                : "a-token-of-enough-length");
            }
            secrets.put(secret.group(1), content);
        }
        return secrets;
    }

    private static String run(String... arguments) {
        return ANSWERS.computeIfAbsent(List.of(arguments), _ -> command(arguments));
    }

    private static String command(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false, false, 200);
        ToolfleetCommand.run(new CommandContext(terminal, Map.of()), arguments);
        return out.toString();
    }

    private void expect(String what, Object expected, Object actual) {
        compared++;
        if (!String.valueOf(expected).equals(String.valueOf(actual)))
            problems.add(what + ": expected " + expected + ", and there is " + actual);
    }
}
