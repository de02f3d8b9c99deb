package dev.toolfleet.cli.init;

import java.util.LinkedHashMap;
import java.util.Map;

/// Language of the handler in a new bundle, with the files that belong to it.
public enum BundleLanguage {
    JAVA("""
              # The jar that `mvn package` builds, and the class in it.
              entry: ./target/@name@.jar#example.TextTools
            """, "mvn package") {
        @Override
        void addTo(Map<String, String> files) {
            files.put("pom.xml", "/templates/pom.xml");
            files.put("src/main/java/example/TextTools.java", "/templates/TextTools.java");
            files.put("src/test/java/example/TextToolsTest.java", "/templates/TextToolsTest.java");
            files.put("README.md", "/templates/README.md");
            files.put(".gitignore", "/templates/gitignore");
        }
    },
    TYPESCRIPT("""
              # A Node that strips types runs it as it is; another runs dist/tools/text.js, which `npm run build` makes.
              entry: ./tools/text.ts
            """, "npm install && npm test") {
        @Override
        void addTo(Map<String, String> files) {
            files.put("tools/text.ts", "/templates/typescript/text.ts");
            files.put("tools/text.test.mjs", "/templates/typescript/text.test.mjs");
            files.put("package.json", "/templates/typescript/package.json");
            files.put("tsconfig.json", "/templates/typescript/tsconfig.json");
            files.put("toolfleet-host.d.ts", HOSTS + "toolfleet-host.d.ts");
            addCommon(files, "typescript");
        }
    },
    JAVASCRIPT("""
              entry: ./tools/text.mjs
            """, "node --test") {
        @Override
        void addTo(Map<String, String> files) {
            files.put("tools/text.mjs", "/templates/javascript/text.mjs");
            files.put("tools/text.test.mjs", "/templates/javascript/text.test.mjs");
            files.put("jsconfig.json", "/templates/javascript/jsconfig.json");
            files.put("toolfleet-host.d.ts", HOSTS + "toolfleet-host.d.ts");
            addCommon(files, "javascript");
        }
    },
    PYTHON("""
              entry: ./tools/text.py
            """, "(cd tools && python3 -m unittest)") {
        @Override
        void addTo(Map<String, String> files) {
            files.put("tools/text.py", "/templates/python/text.py");
            files.put("tools/test_text.py", "/templates/python/test_text.py");
            files.put("tools/toolfleet_host.py", HOSTS + "toolfleet_host.py");
            files.put("tools/toolfleet_host.pyi", HOSTS + "toolfleet_host.pyi");
            addCommon(files, "python");
        }
    };

    /// Resources of the hosts, which have the types for editors.
    private static final String HOSTS = "/dev/toolfleet/hosts/";

    private final String entry;
    private final String build;

    BundleLanguage(String entry, String build) {
        this.entry = entry;
        this.build = build;
    }

    /// The command that builds or tests a new bundle, in its folder.
    public String build() {
        return build;
    }

    /// The line of the bundle's declaration that names the handler's code.
    String entry() {
        return entry;
    }

    /// Returns the resource of each file by its path in the new folder.
    Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("toolfleet.yaml", "/templates/toolfleet.yaml");
        files.put("calls.jsonl", "/templates/calls.jsonl");
        files.put("contract.jsonl", "/templates/contract.jsonl");
        addTo(files);
        return files;
    }

    abstract void addTo(Map<String, String> files);

    private static void addCommon(Map<String, String> files, String language) {
        files.put("README.md", "/templates/" + language + "/README.md");
        files.put(".gitignore", "/templates/" + language + "/gitignore");
    }
}
