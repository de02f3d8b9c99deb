// A fleet of this repository in a process of its own, and the few routes of its gateway that an agent runtime needs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "..", "..");
const START_MS = 600_000;

export class Fleet {
  #log = "";
  #processes = [];

  /** Starts a fleet with this bundle, which may reach the world outside, and calls `onEvent` with each agent event. */
  static async start(bundle, outside, onEvent) {
    const fleet = new Fleet();
    try {
      const address = new URL(outside.url);
      const settings = [
        "worker.sandbox.network=true",
        "worker.tools.http-fetch.ceiling.allowAddresses=127.0.0.1/32",
        `worker.tools.http-fetch.ceiling.allowPorts=${address.port}`,
        `worker.tools.slack.ceiling.apiBaseUrl=${outside.url}/slack`,
      ].flatMap((setting) => ["--set", setting]);
      const dev = fleet.#run(join(root, "toolfleet"), ["dev", "--bundle", bundle, "--port", "0", ...settings]);
      const lines = await fleet.#until(dev, (text) => /^ {2}gateway /m.test(text) && /^ {2}bundle /m.test(text));
      fleet.gateway = /^ {2}gateway +(\S+)/m.exec(lines)[1];
      const jar = process.env.TOOLFLEET_JAR ?? join(root, "cli", "target", "toolfleet.jar");
      const flags = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp", jar];
      const inbox = fleet.#run(process.env.JAVA, [...flags, join(import.meta.dirname, "Inbox.java"),
        /^ {2}broker +(\S+)/m.exec(lines)[1]]);
      createInterface({ input: inbox.stdout }).on("line", (line) => onEvent(JSON.parse(line)));
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  /** Announces a step and returns its tools. */
  async step(instanceKey, agent, turnId, stepId) {
    return (await this.#post(`${agentPath(instanceKey, agent)}/steps`, { turnId, stepId })).tools;
  }

  /** Makes a call and returns its first result, which may be pending, with the address of the call as `location`. */
  async call(instanceKey, agent, call) {
    let location;
    const result = await this.#post(`${agentPath(instanceKey, agent)}/calls`, call, (headers) => {
      location = headers.get("Location");
    });
    return { ...result, location };
  }

  /** Rejects a call that waits for a person, and returns its final result. */
  async reject({ handle, location }) {
    await this.#post(`/v1/handles/${handle}/decision`, { decision: "reject", by: "ann", reason: "I did not ask for that." });
    // The stream of a call ends with its final result.
    const events = await (await fetch(`${this.gateway}${location}/events`)).text();
    return JSON.parse(events.match(/^data: .*$/gm).at(-1).replace("data: ", ""));
  }

  async stop() {
    for (const child of this.#processes.splice(0).reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill();
      await once(child, "exit");
    }
  }

  /** What the fleet has printed, for a failure. */
  get log() {
    return this.#log;
  }

  async #post(path, body, onHeaders = () => {}) {
    const response = await fetch(this.gateway + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Prefer: "wait=60" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
    onHeaders(response.headers);
    return text === "" ? undefined : JSON.parse(text);
  }

  #run(command, args) {
    // A short life needs no second compiler.
    const flags = process.env.TOOLFLEET_JAVA_OPTS ?? "-XX:TieredStopAtLevel=1";
    const env = { ...process.env, TOOLFLEET_JAVA_OPTS: flags, SLACK_BOT_TOKEN: "token-of-the-example" };
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => { this.#log += data; });
    child.on("error", (error) => { this.#log += error; });
    process.on("exit", () => child.kill());
    this.#processes.push(child);
    return child;
  }

  #until(child, isThere) {
    return new Promise((resolve, reject) => {
      const look = () => { if (isThere(this.#log)) resolve(this.#log); };
      const late = setTimeout(() => reject(new Error(`The fleet did not start:\n${this.#log}`)), START_MS);
      child.stdout.on("data", look);
      child.on("exit", () => reject(new Error(`The fleet ended:\n${this.#log}`)));
      child.on("error", reject);
      late.unref();
    });
  }
}

const agentPath = (instanceKey, agent) => `/v1/instances/${encodeURIComponent(instanceKey)}/agents/${agent}`;
