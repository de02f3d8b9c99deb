// Checks rendered manifests: node check.mjs FOLDER
// 1. TypeScript compares them with the published types of Kubernetes, KEDA and the Prometheus operator: an unknown
//    field, a missing one and a wrong type fail. The published validators check formats and enumerations.
// 2. References within the manifests: labels, ports, volumes, targets of scaling, time for the end.
// Then defects are planted into good manifests, and each must be found.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { parseAllDocuments } from "yaml";

const folder = process.argv[2];
const here = process.cwd();
const packages = [
    [/^(keda\.sh\/v1alpha1)$/, "@kubernetes-models/keda/"],
    [/^(monitoring\.coreos\.com\/v1)$/, "@kubernetes-models/prometheus-operator/"],
    [/^(v1)$/, "kubernetes-models/"],
    [/^([a-z]+)\/(v1)$/, "kubernetes-models/"],
    [/^(networking\.k8s\.io\/v1)$/, "kubernetes-models/"],
];
const isWorkload = manifest => manifest.kind === "Deployment" || manifest.kind === "Job";

function moduleOf(manifest) {
    const found = packages.find(([version]) => version.test(manifest.apiVersion));
    if (!found) {
        throw new Error(`${manifest.apiVersion} of ${manifest.kind} has no types here; add a package to check.mjs`);
    }
    return `${found[1]}${manifest.apiVersion}`;
}

// Types, of all sets at once: problems by the name of a set.
function typeProblems(sets) {
    const options = {
        noEmit: true, strict: true, skipLibCheck: true, module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [],
    };
    const files = new Map();
    for (const [name, manifests] of sets) {
        const lines = manifests.map((manifest, i) => `import type { I${manifest.kind} as T${i} } from "${moduleOf(manifest)}";
export const m${i}: T${i} = ${JSON.stringify(manifest, null, 1)};`);
        const file = join(here, `${name}.ts`);
        writeFileSync(file, lines.join("\n"));
        files.set(file, name);
    }
    const problems = new Map([...sets.keys()].map(name => [name, []]));
    for (const found of ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options))) {
        const text = ts.flattenDiagnosticMessageText(found.messageText, " ");
        const at = found.file?.text.split("\n")[found.file.getLineAndCharacterOfPosition(found.start).line].trim();
        const set = found.file && files.get(found.file.fileName);
        if (!set) {
            throw new Error(`TypeScript cannot check: ${found.file?.fileName} ${text}`);
        }
        problems.get(set).push(`${at}: ${text}`);
    }
    return problems;
}

async function formatProblems(manifests) {
    const problems = [];
    for (const manifest of manifests) {
        const models = await import(moduleOf(manifest));
        try {
            new models[manifest.kind](manifest).validate();
        } catch (e) {
            problems.push(`${manifest.kind} ${manifest.metadata?.name}: ${e.message}`);
        }
    }
    return problems;
}

const matches = (selector, labels) => Object.entries(selector).every(([key, value]) => labels?.[key] === value);

function podProblems(name, pod) {
    const problems = [];
    const volumes = new Set(pod.volumes.map(volume => volume.name));
    for (const container of pod.containers) {
        const ports = new Set((container.ports ?? []).map(port => port.name));
        for (const mount of container.volumeMounts.filter(mount => !volumes.has(mount.name))) {
            problems.push(`${name} mounts ${mount.name}, which is no volume of it`);
        }
        for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
            const port = container[probe]?.httpGet?.port;
            if (port !== undefined && !ports.has(port)) {
                problems.push(`${name}: ${probe} wants the port ${port}, which is none of it`);
            }
        }
        const drain = container.env.find(entry => entry.name === "TOOLFLEET_WORKER_DRAIN_TIMEOUT");
        if (drain && pod.terminationGracePeriodSeconds < parseInt(drain.value, 10) + 15) {
            problems.push(`${name} has ${pod.terminationGracePeriodSeconds} s for its end, and drains for ${drain.value}`
                + " and 15 s");
        }
        for (const source of container.envFrom.filter(source => !source.secretRef)) {
            problems.push(`${name} has variables of ${Object.keys(source)}, and Secrets alone are wanted`);
        }
        const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext;
        if (allowPrivilegeEscalation !== false || !readOnlyRootFilesystem || !capabilities.drop.includes("ALL")) {
            problems.push(`${name} has more rights than it needs`);
        }
    }
    return problems;
}

// The job that makes topics must end before workers start. `.ci/helm` renders its annotations under these names.
function hookProblems(name, annotations) {
    const wanted = { "hook.helm.sh/hook": "pre-install,pre-upgrade", "hook.helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded" };
    return Object.entries(wanted).filter(([key, value]) => annotations[key] !== value)
        .map(([key, value]) => `${name} has ${key}: ${annotations[key]}, and must have ${value}`);
}

function referenceProblems(manifests) {
    const problems = [];
    const pods = manifests.filter(isWorkload).map(manifest => manifest.spec.template);
    const names = manifests.map(manifest => `${manifest.kind} ${manifest.metadata.name}`);
    for (const name of names.filter((name, i) => names.indexOf(name) !== i)) {
        problems.push(`${name} is there twice`);
    }
    for (const manifest of manifests) {
        const name = `${manifest.kind} ${manifest.metadata.name}`;
        const selector = manifest.kind === "Service" ? manifest.spec.selector
            : (manifest.spec?.selector ?? manifest.spec?.podSelector)?.matchLabels;
        const selected = selector && pods.filter(pod => matches(selector, pod.metadata.labels));
        if (selected && selected.length !== 1) {
            problems.push(`${name} selects the pods of ${selected.length} workloads`);
        }
        const wanted = [...(manifest.spec?.ports ?? []).map(port => port.targetPort),
            ...(manifest.spec?.podMetricsEndpoints ?? []).map(endpoint => endpoint.port)];
        for (const port of wanted) {
            if (!selected?.[0]?.spec.containers[0].ports.some(own => own.name === port)) {
                problems.push(`${name} wants the port ${port}, which its pods have not`);
            }
        }
        const target = manifest.spec?.scaleTargetRef?.name;
        if (target && !names.includes(`Deployment ${target}`)) {
            problems.push(`${name} scales ${target}, which is no Deployment`);
        }
        const scaled = target && manifests.find(other => other.kind === "Deployment" && other.metadata.name === target);
        if (scaled?.spec.replicas !== undefined) {
            problems.push(`${name} scales ${target}, which has a fixed number of replicas`);
        }
        if (manifest.kind === "Job") {
            problems.push(...hookProblems(name, manifest.metadata.annotations ?? {}));
        }
        if (isWorkload(manifest)) {
            problems.push(...podProblems(name, manifest.spec.template.spec));
        }
    }
    return problems;
}

const sets = new Map();
for (const file of readdirSync(folder).sort()) {
    const documents = parseAllDocuments(readFileSync(join(folder, file), "utf8"), { merge: false });
    sets.set(file.replace(/\.yaml$/, ""), documents.map(document => document.toJS()).filter(manifest => manifest));
}

// Each defect changes a copy of a good set; the text must be in what is found.
const of = (manifests, kind, name) => manifests.find(manifest => manifest.kind === kind && manifest.metadata.name === name);
const defects = {
    "unknown-field": ["serviceAccountNam", m => { of(m, "Deployment", "fleet-worker").spec.template.spec.serviceAccountNam = "x"; }],
    "unknown-field-of-keda": ["minReplicas", m => { of(m, "ScaledObject", "fleet-worker").spec.minReplicas = 2; }],
    "wrong-type": ["replicas", m => { of(m, "Deployment", "fleet-gateway").spec.replicas = "2"; }],
    "wrong-type-of-keda": ["threshold", m => { of(m, "ScaledObject", "fleet-worker").spec.triggers[0].metadata.threshold = 5; }],
    "missing-field": ["selector", m => { delete of(m, "Deployment", "fleet-catalog").spec.selector; }],
    "wrong-word": ["Sometimes", m => { of(m, "Job", "fleet-setup").spec.template.spec.restartPolicy = "Sometimes"; }],
    "missing-volume": ["mounts tmp", m => { of(m, "Deployment", "fleet-worker").spec.template.spec.volumes = []; }],
    "wrong-port": ["port internet", m => { of(m, "Service", "fleet-gateway").spec.ports[0].targetPort = "internet"; }],
    "short-end": ["has 30 s for its end", m => { of(m, "Deployment", "fleet-worker").spec.template.spec.terminationGracePeriodSeconds = 30; }],
    "wrong-label": ["selects the pods of 0", m => { of(m, "PodDisruptionBudget", "fleet-worker").spec.selector.matchLabels["app.kubernetes.io/component"] = "x"; }],
    "late-hook": ["must have pre-install,pre-upgrade", m => { of(m, "Job", "fleet-setup").metadata.annotations["hook.helm.sh/hook"] = "post-install"; }],
    "fixed-replicas": ["a fixed number of replicas", m => { of(m, "Deployment", "fleet-worker").spec.replicas = 2; }],
};
const all = new Map(sets);
for (const [name, [, plant]] of Object.entries(defects)) {
    const copy = structuredClone(sets.get("everything"));
    plant(copy);
    all.set(`defect-${name}`, copy);
}

let failed = false;
const types = typeProblems(all);
for (const [name, manifests] of all) {
    const defect = defects[name.replace(/^defect-/, "")];
    const problems = [...types.get(name), ...await formatProblems(manifests)];
    // A manifest of a wrong form need not have what references are followed by.
    problems.push(...(problems.length ? [] : referenceProblems(manifests)));
    if (defect) {
        const found = problems.find(problem => problem.includes(defect[0]));
        console.log(found ? `helm: found ${name}: ${found.slice(0, 140)}` : `helm: did NOT find ${name}`);
        failed ||= !found;
    } else {
        console.log(`helm: ${name}: ${manifests.length} manifests, ${problems.length} problems`);
        problems.forEach(problem => console.error(`  ${problem}`));
        failed ||= problems.length > 0 || manifests.length === 0;
    }
}
process.exit(failed ? 1 : 0);
