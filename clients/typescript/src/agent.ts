import { type AnsweredCall, Call, WAIT } from "./call.js";
import type { Transport } from "./transport.js";
import type { CallRequest, Catalog, Prompt, SessionMessages, SessionState, StepAnswer, StepRequest, ToolFormat, ToolResult } from "./types.js";

/** The gateway waits up to 45 s for the catalog of a step before it answers that there is none. */
const STEP_SILENCE = 60_000;

/** Facts of a call beside its tool and arguments. */
export interface CallOptions extends Omit<CallRequest, "name" | "args" | "arguments" | "input"> {
  /** The caller's own name of the call. A call with the same key is the same call. Takes the place of turn, step and id. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** One of several calls of a model's message. */
export interface ParallelCall extends CallOptions {
  name: string;
  args?: unknown;
}

export interface StepOptions extends StepRequest {
  /** The format of `tools`; `toolfleet` without it. */
  format?: ToolFormat;
  signal?: AbortSignal;
}

/** An agent of a conversation. */
export class Agent {
  private readonly path: string;

  constructor(private readonly transport: Transport, readonly instanceKey: string, readonly agentName: string) {
    this.path = `/v1/instances/${encodeURIComponent(instanceKey)}/agents/${encodeURIComponent(agentName)}`;
  }

  /** Announces a step, and reads the tools that its model may see and call. */
  async step(options: StepOptions): Promise<Step> {
    const { format, signal, ...body } = options;
    const reply = await this.transport.json<StepAnswer>({ method: "POST", path: `${this.path}/steps`, query: { format }, body, signal, silence: STEP_SILENCE });
    return new Step(this, reply.body);
  }

  /** Announces the end of a step. */
  async endStep(turnId: string, stepId: string, options: { signal?: AbortSignal } = {}): Promise<void> {
    const path = `${this.path}/steps/${encodeURIComponent(turnId)}/${encodeURIComponent(stepId)}/end`;
    await this.transport.json({ method: "POST", path, body: {}, ...options });
  }

  /** Calls a tool and waits for the first result: the final one, or a pending one. */
  async call(name: string, args: unknown = {}, options: CallOptions = {}): Promise<AnsweredCall> {
    return (await this.send(name, args, options, WAIT)).answer(options.signal ? { signal: options.signal } : {});
  }

  /** Calls a tool and returns once the call is durable. */
  start(name: string, args: unknown = {}, options: CallOptions = {}): Promise<Call> {
    return this.send(name, args, options, 0);
  }

  /** Reads the tools of the newest step. */
  async catalog(query: { format?: ToolFormat } = {}, options: { signal?: AbortSignal } = {}): Promise<Catalog> {
    return (await this.transport.json<Catalog>({ method: "GET", path: `${this.path}/catalog`, query, ...options })).body;
  }

  /** Reads the system prompt of the newest step. */
  async prompt(query: { mode?: "full" | "minimal" | "none"; maxTokens?: number } = {}, options: { signal?: AbortSignal } = {}): Promise<Prompt> {
    return (await this.transport.json<Prompt>({ method: "GET", path: `${this.path}/prompt`, query, ...options })).body;
  }

  /** Reads the messages of the session: as they were written, or repaired for a model. */
  async messages(query: { view?: "log" | "model" } = {}, options: { signal?: AbortSignal } = {}): Promise<SessionMessages> {
    return (await this.transport.json<SessionMessages>({ method: "GET", path: `${this.path}/messages`, query, ...options })).body;
  }

  /** Reads the newest state of the session. */
  async session(options: { signal?: AbortSignal } = {}): Promise<SessionState> {
    return (await this.transport.json<SessionState>({ method: "GET", path: `${this.path}/session`, ...options })).body;
  }

  private async send(name: string, args: unknown, options: CallOptions, wait: number): Promise<Call> {
    const { idempotencyKey, signal, ...facts } = options;
    const body = { ...facts, name, args };
    const named = [facts.id, facts.turnId, facts.stepId].every(each => each !== undefined && each !== null);
    const key = idempotencyKey ?? (named ? undefined : randomKey());
    const headers: Record<string, string> = key === undefined ? {} : { "Idempotency-Key": key };
    const reply = await this.transport.json<ToolResult | { id: string; stage: "accepted" }>(
      { method: "POST", path: `${this.path}/calls`, headers, body, wait, signal });
    const id = reply.headers.get("Location")?.split("/").pop() ?? reply.headers.get("Toolfleet-Call-Id");
    if (!id) throw new TypeError("the answer has no Location; a proxy or CORS rule must let Location or Toolfleet-Call-Id through");
    return new Call(this.transport, decodeURIComponent(id), "toolCallId" in reply.body ? reply.body : undefined);
  }
}

/** A step: what its model may see and call, and the calls that it makes. */
export class Step {
  private submitted: Promise<unknown> = Promise.resolve();

  constructor(readonly agent: Agent, readonly answer: StepAnswer) {}

  get turnId(): string {
    return this.answer.turnId;
  }

  get stepId(): string {
    return this.answer.stepId;
  }

  /** The definitions of the tools, for the request to the model's provider. */
  get tools(): StepAnswer["tools"] {
    return this.answer.tools;
  }

  /**
   * Calls a tool by the name that the model uses, and waits for the first result: the final one, or a pending one.
   *
   * @param options `id` is the model's id of the call, which is kept; without one, the call gets a key of its own
   */
  call(name: string, args: unknown = {}, options: CallOptions = {}): Promise<AnsweredCall> {
    return this.agent.call(this.realName(name), this.realArguments(name, args), { ...this.names(), ...options });
  }

  /** Calls a tool and returns once the call is durable. Calls run in the order in which this method was called. */
  start(name: string, args: unknown = {}, options: CallOptions = {}): Promise<Call> {
    return this.inOrder(() => this.submit(name, args, options));
  }

  /**
   * Makes the calls of one message of a model: submits them in their order, and returns their first results in it. The first
   * one that cannot be submitted ends this method, and those behind it are not submitted.
   */
  async callAll(calls: readonly ParallelCall[]): Promise<AnsweredCall[]> {
    const started = await this.inOrder(async () => {
      const durable: Call[] = [];
      for (const { name, args, ...options } of calls) durable.push(await this.submit(name, args, options));
      return durable;
    });
    return Promise.all(started.map((each, i) => {
      const signal = calls[i]!.signal;
      return each.answer(signal ? { signal } : {});
    }));
  }

  /** Announces the end of the step. */
  end(options: { signal?: AbortSignal } = {}): Promise<void> {
    return this.agent.endStep(this.turnId, this.stepId, options);
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.submitted.then(work);
    this.submitted = done.catch(() => undefined);
    return done;
  }

  private submit(name: string, args: unknown = {}, options: CallOptions): Promise<Call> {
    return this.agent.start(this.realName(name), this.realArguments(name, args), { ...this.names(), ...options });
  }

  private names(): CallOptions {
    return { turnId: this.turnId, stepId: this.stepId, catalogDigest: this.answer.digest };
  }

  private realName(name: string): string {
    return this.answer.names[name] ?? name;
  }

  private realArguments(name: string, args: unknown): unknown {
    const renamed = this.answer.arguments[name];
    if (renamed === undefined || typeof args !== "object" || args === null || Array.isArray(args)) return args;
    return Object.fromEntries(Object.entries(args).map(([key, value]) => [renamed[key] ?? key, value]));
  }
}

/** 128 random bits. `crypto.randomUUID` is missing on pages without TLS. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");
}
