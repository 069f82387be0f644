/** Exit codes of the process, for CI jobs. */
export const exitCodes = {
	passed: 0,
	checkFailed: 1,
	/** An error in files, options or setup, which a retry doesn't fix. */
	fault: 2,
	unreached: 3,
	interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error that ends a command. The process prints its message as one line and exits with its code. Never contains a key. */
export class CliFault extends Error {
	override readonly name = 'CliFault';
	readonly exitCode: ExitCode;

	/** @param cause the client's error that the message rephrases */
	constructor(message: string, exitCode: ExitCode = exitCodes.fault, cause?: unknown) {
		super(message, { cause });
		this.exitCode = exitCode;
	}
}

/** Reasons of client errors which mean that a service couldn't be reached. */
const unreachedReasons: readonly unknown[] = ['network', 'timeout', 'tls'];

/** Returns the exit code for a client error. */
export function getExitCode(error: unknown): ExitCode {
	if (error instanceof CliFault) {
		return error.exitCode;
	}
	const { reason } = error as { readonly reason?: unknown };
	return unreachedReasons.includes(reason) ? exitCodes.unreached : exitCodes.fault;
}

/** Returns the most important exit code: interruption, then errors to fix, then an unreachable service, then failed checks. */
export function getWorstExitCode(codes: readonly ExitCode[]): ExitCode {
	const order = [exitCodes.interrupted, exitCodes.fault, exitCodes.unreached, exitCodes.checkFailed];
	return order.find(code => codes.includes(code)) ?? exitCodes.passed;
}
