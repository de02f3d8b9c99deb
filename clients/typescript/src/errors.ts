import type { Problem, ToolResult } from "./types.js";

/** An error of this client; the base of all others. */
export class ToolfleetError extends Error {
  override name = "ToolfleetError";
}

/** A refusal of the gateway. `code` is its kind, such as `unknown-call`; docs/http.md has the list. */
export class ProblemError extends ToolfleetError {
  override name = "ProblemError";

  /**
   * @param attempts the number of requests, this one included. After a lost answer, `ended` may be the effect of an
   *     earlier one of them.
   */
  constructor(readonly problem: Problem, readonly attempts: number) {
    super(`${problem.status} ${codeOf(problem)}: ${problem.detail}`);
  }

  /** The kind of the problem, without `urn:toolfleet:problem:`. */
  get code(): string {
    return codeOf(this.problem);
  }

  get status(): number {
    return this.problem.status;
  }
}

/** No gateway has answered for the whole of `retryFor`. Whether the request had an effect is unknown. */
export class ConnectionError extends ToolfleetError {
  override name = "ConnectionError";

  constructor(message: string, readonly attempts: number, cause: unknown) {
    super(message, { cause });
  }
}

/**
 * A call that ended with an error of its tool or of the fleet. `code` is one of docs/errors.md, or the tool's own. The
 * message ends with the suggestion, the advice for the model.
 */
export class ToolCallError extends ToolfleetError {
  override name = "ToolCallError";
  readonly code: string;
  readonly suggestion: string | undefined;

  constructor(readonly result: ToolResult) {
    const error = result.error ?? { code: "E_TOOL", message: "The result has no error." };
    super(`${result.toolName}: ${error.code}: ${error.message}${error.suggestion === undefined ? "" : ` ${error.suggestion}`}`);
    this.code = error.code;
    this.suggestion = error.suggestion;
  }
}

function codeOf(problem: Problem): string {
  return problem.type.replace("urn:toolfleet:problem:", "");
}
