/** How the process ends, for a job to act on. */
export const exitCodes = {
	passed: 0,
	checkFailed: 1,
	/** A fault in files, options or set-up: sent again it fails again. */
	fault: 2,
	unreached: 3,
	interrupted: 130,
} as const;

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Why a command cannot go on: its message is the one line that is shown before the process ends with its code. Never holds a key. */
export class CliFault extends Error {
	override readonly name = 'CliFault';
	readonly exitCode: ExitCode;

	/** @param cause the client's error that it says in other words */
	constructor(message: string, exitCode: ExitCode = exitCodes.fault, cause?: unknown) {
		super(message, { cause });
		this.exitCode = exitCode;
	}
}

/** Reasons of the client's errors for which a service counts as not reached, whatever was asked of it. */
const unreachedReasons: readonly unknown[] = ['network', 'timeout', 'tls'];

/** The code for an error of the client: whether its service was reached at all. */
export function exitCodeOf(error: unknown): ExitCode {
	if (error instanceof CliFault) {
		return error.exitCode;
	}
	const { reason } = error as { readonly reason?: unknown };
	return unreachedReasons.includes(reason) ? exitCodes.unreached : exitCodes.fault;
}

/** What tells most of several codes: an interruption, then what has to be mended, then a service that was not there, then checks. */
export function worstOf(codes: readonly ExitCode[]): ExitCode {
	const order = [exitCodes.interrupted, exitCodes.fault, exitCodes.unreached, exitCodes.checkFailed];
	return order.find(code => codes.includes(code)) ?? exitCodes.passed;
}
