// Runs ../../conformance/steps.json with this client, against the fleet of ../../conformance/fleet.js.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { ProblemError, ToolCallError, Toolfleet } from "@toolfleet/client";

const { TOOLFLEET_URL, CONTROL_URL, RUN, STEPS } = process.env;
const { steps } = JSON.parse(readFileSync(STEPS, "utf8"));
const fleet = new Toolfleet({ url: TOOLFLEET_URL, retryFor: 180_000 });
const variables = { run: RUN };
const known = {};

/** Puts the values of variables in the places of ${name}. */
function filled(value) {
  if (typeof value === "string") return value.replace(/\$\{(\w+)\}/g, (_, name) => variables[name]);
  if (Array.isArray(value)) return value.map(filled);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each)]));
}

/** True if a value has all that is expected. Lists have the same length; objects may have more fields. */
function fits(expected, value) {
  if (Array.isArray(expected)) return Array.isArray(value) && value.length === expected.length && expected.every((each, i) => fits(each, value[i]));
  if (expected === null || typeof expected !== "object") return isDeepStrictEqual(expected, value);
  return value !== null && typeof value === "object" && Object.entries(expected).every(([name, each]) => fits(each, value[name]));
}

function keep(step, call) {
  if (step.as) known[step.as] = call;
  return call;
}

async function eventsOf(step) {
  const seen = [];
  const { after, until, saveLast } = step;
  for await (const { event, id, data } of known[step.call].events(after === undefined ? {} : { after })) {
    seen.push({ event, data });
    if (saveLast) variables[saveLast] = id;
    if (event === until) break;
  }
  return seen;
}

async function first(results, count) {
  const seen = [];
  for await (const { result } of results) {
    seen.push(result);
    if (seen.length === count) break;
  }
  return seen;
}

const agentOf = step => fleet.agent(step.instance ?? step.agent, "clerk");
const callerOf = step => step.step ? known[step.step] : agentOf(step);

function optionsOf({ id, idempotencyKey }) {
  return { ...(id === undefined ? {} : { id }), ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
}

const does = {
  step: async step => {
    const { turnId, stepId, format } = step;
    const begun = await agentOf(step).step({ turnId, stepId, ...(format ? { format } : {}) });
    keep(step, begun);
    return { turnId: begun.turnId, stepId: begun.stepId, tools: begun.tools.map(tool => tool.name) };
  },
  endStep: step => known[step.step].end(),
  call: async step => keep(step, await callerOf(step).call(step.tool, step.args, optionsOf(step))).result,
  start: async step => keep(step, await callerOf(step).start(step.tool, step.args, optionsOf(step))),
  callAll: async step => (await known[step.step].callAll(step.calls)).map(call => call.result),
  state: step => (step.call ? known[step.call] : fleet.call(step.id)).state(),
  events: eventsOf,
  answer: async step => (await known[step.call].answer()).result,
  final: step => known[step.call].final(),
  output: step => known[step.call].output(),
  cancel: step => known[step.call].cancel(step.reason),
  complete: step => fleet.complete(step.handle, step.report),
  decide: step => fleet.decide(step.handle, step.decision),
  approvals: async step => (await fleet.approvals(step.query)).approvals,
  calls: async step => (await fleet.calls(step.query)).calls,
  readResults: async step => (await fleet.readResults(step.instance, step.query)).results.map(each => each.result),
  results: step => first(fleet.results(step.instance), step.count),
  session: step => agentOf(step).session(),
  messages: step => agentOf(step).messages(step.query),
  control: async step => (await fetch(CONTROL_URL + step.path, { method: "POST", body: JSON.stringify(step.body ?? {}) })).json(),
};

function failure(e) {
  if (e instanceof ProblemError) return { error: "problem", status: e.status, code: e.code };
  if (e instanceof ToolCallError) return { error: "tool", code: e.code, suggestion: e.suggestion };
  throw e;
}

async function outcome(step) {
  try {
    return { value: await does[step.do](step) };
  } catch (e) {
    return { failed: failure(e) };
  }
}

async function run(step) {
  const expected = step.fails ? { failed: step.fails } : step.expect ? { value: step.expect } : {};
  for (const end = Date.now() + 60_000; ; await new Promise(resolve => setTimeout(resolve, 200))) {
    const got = await outcome(step);
    if (fits(expected, got) && (step.fails !== undefined || got.failed === undefined)) {
      for (const [name, field] of Object.entries(step.save ?? {})) variables[name] = got.value[field];
      return;
    }
    if (!step.eventually || Date.now() > end)
      throw new Error(`${step.title}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
  }
}

for (const each of steps) {
  try {
    await run(filled(each));
  } catch (e) {
    console.error(`typescript: not ok: ${each.title}`);
    throw e;
  }
}
console.log(`typescript: ${steps.length} steps of the conformance script`);
