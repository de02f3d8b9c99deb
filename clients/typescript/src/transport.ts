import { ConnectionError, ProblemError } from "./errors.js";
import type { Problem } from "./types.js";

/** How a client reaches its gateways. */
export interface ToolfleetOptions {
  /** The address of a gateway, or of several of one group: after a failure the next one is asked. */
  url: string | readonly string[];
  /** The token of the principal, or a function that returns it for each request. */
  token?: string | (() => string | Promise<string>);
  /**
   * For how long a request is sent again while no gateway answers it, in milliseconds; 60,000 without it. Each gateway is
   * asked, and the first one twice, even if that takes longer.
   */
  retryFor?: number;
  /** Another `fetch`, for tests and proxies. */
  fetch?: typeof fetch;
}

export interface Request {
  method: "GET" | "POST";
  path: string;
  query?: Record<string, string | number | boolean | undefined> | undefined;
  headers?: Record<string, string>;
  body?: unknown;
  /** The longest wait of the gateway in seconds. */
  wait?: number;
  /** The silence in milliseconds, beside `wait`, after which the connection counts as lost; 45,000 without it. */
  silence?: number;
  signal?: AbortSignal | undefined;
}

export interface Reply<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** The silence after which a connection counts as lost. Streams send a comment every 15 s. */
const SILENCE = 45_000;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/**
 * Sends requests until they are answered. A lost connection, 429, 502, 503 and 504 are no answers: the same request goes
 * out again, after `Retry-After` or a growing pause. Every request of this client may be repeated, since calls have names.
 */
export class Transport {
  private readonly urls: string[];
  private readonly options: ToolfleetOptions;
  private current = 0;

  constructor(options: ToolfleetOptions) {
    this.urls = (typeof options.url === "string" ? [options.url] : [...options.url]).map(addressOf);
    if (this.urls.length === 0) throw new TypeError("url is an empty list; name the address of a gateway");
    this.options = options;
  }

  /** Sends a request and reads its answer, JSON. */
  json<T>(request: Request): Promise<Reply<T>> {
    return this.repeat(request, async (response, lifetime) => {
      const text = await lifetime.read(response.text());
      return { status: response.status, headers: response.headers, body: (text === "" ? undefined : parsed(text)) as T };
    });
  }

  /** Opens a stream of server-sent events. `lifetime` must be closed. */
  open(request: Request): Promise<{ body: ReadableStream<Uint8Array>; lifetime: Lifetime }> {
    return this.repeat(request, async (response, lifetime) => {
      if (response.body === null) throw new TypeError("the stream has no body");
      return { body: response.body, lifetime };
    }, true);
  }

  /** The pause before the next attempt, which grows with their number. Part of it is by chance. */
  async pause(attempt: number, signal?: AbortSignal, atLeast = 0): Promise<void> {
    const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(attempt - 1, 10));
    await sleep(Math.max(atLeast, longest * (0.5 + Math.random() / 2)), signal);
  }

  get retryFor(): number {
    return this.options.retryFor ?? 60_000;
  }

  private async repeat<T>(request: Request, read: (response: Response, lifetime: Lifetime) => Promise<T>, stream = false): Promise<T> {
    const prepared = prepare(request);
    const end = Date.now() + this.retryFor;
    for (let attempt = 1; ; attempt++) {
      const asked = this.current;
      const address = this.urls[asked % this.urls.length]! + prepared.target;
      const headers = await this.authorized(prepared.headers, request.signal);
      const lifetime = new Lifetime(request.signal, (request.wait ?? 0) * 1000 + (request.silence ?? SILENCE));
      let failure: unknown;
      let atLeast = 0;
      try {
        const sent = (this.options.fetch ?? fetch)(address, { method: request.method, headers, signal: lifetime.signal, ...prepared.body });
        const response = await lifetime.read(sent);
        if (response.ok) {
          const answer = await read(response, lifetime);
          if (!stream) lifetime.close();
          return answer;
        }
        failure = new ProblemError(await lifetime.read(problemOf(response, request.path)), attempt);
        atLeast = retryAfter(response.headers);
      } catch (e) {
        request.signal?.throwIfAborted();
        failure = e;
      }
      lifetime.close();
      const status = failure instanceof ProblemError ? failure.status : undefined;
      if (status !== undefined && ![429, 502, 503, 504].includes(status)) throw failure;
      // Otherwise: of two requests that failed at one gateway, the second would lead past the next one.
      if (status !== 429 && this.current === asked) this.current++;
      const late = Date.now() + atLeast >= end;
      if (late && (status === 429 || attempt > this.urls.length)) {
        if (failure instanceof ProblemError) throw failure;
        throw new ConnectionError(`no answer to ${request.method} ${request.path} from ${this.urls.join(", ")} after `
          + `${attempt} attempts in ${this.retryFor} ms; whether it had an effect is unknown: ${String(failure)}`, attempt, failure);
      }
      await this.pause(attempt, request.signal, late ? 0 : atLeast);
    }
  }

  private async authorized(headers: Headers, signal: AbortSignal | undefined): Promise<Headers> {
    const { token } = this.options;
    if (token === undefined) return headers;
    const all = new Headers(headers);
    all.set("Authorization", `Bearer ${typeof token === "function" ? await orAborted(token(), signal) : token}`);
    return all;
  }
}

/** The parts of a request that are the same in each attempt. What cannot be sent fails here, before the first one. */
function prepare(request: Request): { target: string; headers: Headers; body: { body?: string } } {
  const headers = new Headers(request.headers);
  if (request.body !== undefined) headers.set("Content-Type", "application/json");
  if (request.wait !== undefined) headers.set("Prefer", request.wait > 0 ? `wait=${request.wait}` : "respond-async");
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  return { target: request.path + (query.size > 0 ? `?${query}` : ""), headers, body };
}

function addressOf(url: string): string {
  // A page may name its own origin by a path.
  const page = globalThis.location?.href;
  const protocol = URL.canParse(url, page) ? new URL(url, page).protocol : "";
  if (protocol !== "http:" && protocol !== "https:")
    throw new TypeError(`url is '${url}'; it must be http://HOST:PORT or https://HOST`);
  return url.replace(/\/+$/, "");
}

/** The life of one connection: it ends when the caller aborts, when it is silent for too long, or when it is closed. */
export class Lifetime {
  private readonly controller = new AbortController();
  private readonly onAbort = () => this.controller.abort(this.caller?.reason);

  constructor(private readonly caller: AbortSignal | undefined, private silence: number) {
    if (caller?.aborted) this.onAbort();
    else caller?.addEventListener("abort", this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Awaits a part of the answer, and ends the connection if it does not come. */
  async read<T>(part: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.controller.abort(new Error(`silent for ${this.silence} ms`)), this.silence);
    try {
      return await part;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.caller?.removeEventListener("abort", this.onAbort);
    this.controller.abort();
  }
}

async function problemOf(response: Response, path: string): Promise<Problem> {
  const text = await response.text();
  const whole: Problem = { type: "about:blank", title: response.statusText, status: response.status, detail: text.slice(0, 500), instance: path };
  try {
    const problem: unknown = JSON.parse(text);
    // A proxy may leave fields out.
    if (typeof problem === "object" && problem !== null && typeof (problem as Problem).type === "string")
      return { ...whole, ...problem, status: response.status };
  } catch {
    // A proxy's page.
  }
  return whole;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(`the answer is no JSON; let the address lead to a gateway: ${text.slice(0, 200)}`);
  }
}

function retryAfter(headers: Headers): number {
  const seconds = Number(headers.get("Retry-After") ?? "");
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}

function orAborted<T>(value: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal!.reason);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
    Promise.resolve(value).then(resolve, reject).finally(() => signal?.removeEventListener("abort", onAbort));
  });
}

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
