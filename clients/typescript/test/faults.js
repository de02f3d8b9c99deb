// What this client does when gateways and proxies fail, against servers of this process.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ConnectionError, ProblemError, Toolfleet } from "@toolfleet/client";

const DONE = { toolCallId: "c", toolName: "t", status: "ok", output: 1 };
const PENDING = { toolCallId: "c", toolName: "t", status: "pending", output: 0 };

/** Serves a test: `answer` gets the request, its number and the answer to write. */
async function served(t, answer) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, asked.length, response);
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, asked };
}

const json = (response, body, status = 200, headers = {}) => response.writeHead(status, headers).end(JSON.stringify(body));
const accepted = response => json(response, { id: "c", stage: "accepted" }, 202, { Location: "/v1/calls/0-1" });
const event = (name, id, data) => `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
const names = { digest: "d", names: {}, arguments: {}, tools: [], turnId: "t", stepId: "s" };

/** A `fetch` of which requests to some addresses fail after a time. */
const silent = (after, ...urls) => async (address, options) => {
  if (!urls.some(url => String(address).startsWith(url))) return fetch(address, options);
  await pause(after);
  throw new Error("silent");
};

test("a gateway that is silent for all of retryFor is left for the next one", async t => {
  const next = await served(t, (_, number, response) => json(response, { calls: [number] }));
  const fleet = new Toolfleet({ url: ["http://silent", next.url], retryFor: 20, fetch: silent(60, "http://silent") });
  assert.deepEqual(await fleet.calls(), { calls: [1] });
});

test("each gateway is asked, and the first one twice, before the client gives up", async () => {
  const fleet = new Toolfleet({ url: ["http://a", "http://b"], retryFor: 1, fetch: silent(20, "http://") });
  await assert.rejects(fleet.calls(), e => e instanceof ConnectionError && e.attempts === 3);
});

test("requests that fail at one gateway together lead to the next one", async t => {
  const healthy = await served(t, (_, number, response) => json(response, { calls: [] }));
  const third = await served(t, (_, number, response) => json(response, {}, 500));
  const fleet = new Toolfleet({ url: ["http://silent", healthy.url, third.url], fetch: silent(30, "http://silent") });
  await Promise.all([fleet.calls(), fleet.calls()]);
  assert.equal(healthy.asked.length, 2);
  assert.equal(third.asked.length, 0);
});

test("a stream behind the result ends", async t => {
  const { url } = await served(t, (request, _, response) => request.url.endsWith("/events") ? response.end() : json(response, { result: DONE }));
  const call = new Toolfleet({ url }).call("0-1");
  for await (const each of call.events({ after: "9" })) assert.fail(`an event: ${each.event}`);
  assert.deepEqual(call.result, DONE);
});

test("a result that comes after the end of an empty stream is an event", async t => {
  let streams = 0;
  const { url } = await served(t, (request, _, response) => {
    if (!request.url.endsWith("/events")) json(response, { result: DONE });
    else if (++streams === 1) response.end();
    else response.end(event("result", "2", DONE));
  });
  const seen = [];
  for await (const each of new Toolfleet({ url }).call("0-1").events()) seen.push(each.event);
  assert.deepEqual(seen, ["result"]);
});

test("a reader that is slower than retryFor goes on after a cut", async t => {
  const { url } = await served(t, (request, number, response) => {
    if (number === 1) response.write(event("accepted", "1", {}), () => setTimeout(() => response.destroy(), 20));
    else response.end(request.headers["last-event-id"] === "1" ? event("result", "2", DONE) : "");
  });
  const seen = [];
  for await (const each of new Toolfleet({ url, retryFor: 50 }).call("0-1").events()) {
    seen.push(each.event);
    await pause(120);
  }
  assert.deepEqual(seen, ["accepted", "result"]);
});

test("events that are read again leave the final result", async t => {
  const { url } = await served(t, (_, number, response) => response.end(event("pending", "1", { result: PENDING }) + event("result", "2", DONE)));
  const call = new Toolfleet({ url }).call("0-1");
  await call.final();
  for await (const each of call.events()) assert.deepEqual(call.result, DONE, each.event);
});

test("an id without a value is no name of a call", async t => {
  const { url, asked } = await served(t, (_, number, response) => accepted(response));
  const agent = new Toolfleet({ url }).agent("i", "a");
  await agent.start("t", {}, { id: null, turnId: "t", stepId: "s" });
  await agent.start("t", {}, { id: "c", turnId: "t", stepId: "s" });
  assert.match(asked[0].headers["idempotency-key"], /^[0-9a-f]{32}$/);
  assert.equal(asked[1].headers["idempotency-key"], undefined);
});

test("a proxy that drops Location leaves the other header", async t => {
  const { url } = await served(t, (_, number, response) => json(response, { stage: "accepted" }, 202, { "Toolfleet-Call-Id": "0-7" }));
  assert.equal((await new Toolfleet({ url }).agent("i", "a").start("t")).id, "0-7");
});

test("a proxy's answers are those of no gateway", async t => {
  const { url, asked } = await served(t, (_, number, response) => {
    if (number === 1) json(response, { type: "about:blank" }, 503);
    else if (number === 2) response.end("<html>Welcome</html>");
    else json(response, { type: "about:blank", status: "no" }, 404);
  });
  await assert.rejects(new Toolfleet({ url }).calls(), e => e instanceof ProblemError && e.status === 404 && e.problem.detail.includes("about:blank"));
  assert.equal(asked.length, 3);
});

test("mistakes of a program fail before the first request", async t => {
  const { url, asked } = await served(t, (_, number, response) => accepted(response));
  assert.throws(() => new Toolfleet({ url: "gateway:8080" }), /url is 'gateway:8080'; it must be/);
  await assert.rejects(new Toolfleet({ url }).agent("i", "a").start("t", { big: 1n }), TypeError);
  await assert.rejects(new Toolfleet({ url, token: () => { throw new RangeError("no token"); } }).calls(), RangeError);
  assert.equal(asked.length, 0);
});

test("a signal ends the wait for a token", async () => {
  const fleet = new Toolfleet({ url: "http://127.0.0.1:1", token: () => new Promise(() => {}) });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  await assert.rejects(fleet.calls({}, { signal: controller.signal }), { name: "AbortError" });
});

test("an abort between two attempts ends the client", async () => {
  const controller = new AbortController();
  const late = async () => {
    controller.abort();
    throw new Error("silent");
  };
  const fleet = new Toolfleet({ url: "http://a", fetch: late });
  await assert.rejects(fleet.calls({}, { signal: controller.signal }), { name: "AbortError" });
});

test("a call that is refused ends those behind it", async t => {
  const { url, asked } = await served(t, (request, number, response) => {
    if (request.url.endsWith("/steps")) json(response, names);
    else if (number === 3) json(response, { type: "urn:toolfleet:problem:identity-conflict", detail: "other" }, 422);
    else accepted(response);
  });
  const step = await new Toolfleet({ url }).agent("i", "a").step({ turnId: "t", stepId: "s" });
  await assert.rejects(step.callAll([{ name: "a" }, { name: "b" }, { name: "c" }]), e => e.code === "identity-conflict");
  await pause(50);
  assert.equal(asked.length, 3);
});

test("a step waits for longer than the gateway does for its catalog", async t => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let answer;
  const fleet = new Toolfleet({ url: "http://slow", fetch: (_, { signal }) => new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    answer = resolve;
  }) });
  const step = fleet.agent("i", "a").step({ turnId: "t", stepId: "s" });
  while (answer === undefined) await Promise.resolve();
  t.mock.timers.tick(50_000);
  answer(new Response(JSON.stringify(names)));
  assert.equal((await step).turnId, "t");
});
