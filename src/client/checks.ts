import { ServiceError } from './errors/serviceError.ts';
import type { Call } from './operations.ts';

type CheckLimits = typeof import('./limits.ts').checkLimits;

/**
 * Checks calls against the limits of the contract. What it needs for that is loaded with the first call; from then on nothing has to be
 * waited for.
 */
export class CallChecker {
	#checkLimits: CheckLimits | undefined;

	/**
	 * The call with its defaults filled in. Throws or rejects with `invalid-request`, the field and what it must be, where it breaks a limit;
	 * nothing was sent then.
	 */
	check(call: Call): Call | Promise<Call> {
		return this.#checkLimits ? checked(call, this.#checkLimits) : this.#load(call);
	}

	async #load(call: Call): Promise<Call> {
		this.#checkLimits = (await import('./limits.ts')).checkLimits;
		return checked(call, this.#checkLimits);
	}
}

function checked(call: Call, checkLimits: CheckLimits): Call {
	for (const named of [call.id, call.part]) {
		if (named !== undefined) {
			checkPathValue(named.name, named.value);
		}
	}
	const parts: { query?: Record<string, unknown>; body?: Record<string, unknown> } = {};
	for (const part of ['query', 'body'] as const) {
		if (call[part] !== undefined) {
			const result = checkLimits(call.operation, part, call[part]);
			if ('fault' in result) {
				throw refused(result.fault.field, result.fault.message);
			}
			parts[part] = result.value;
		}
	}
	return { ...call, ...parts };
}

/** Dots alone would name another path (`/run/../x`). */
function checkPathValue(name: string, value: string): void {
	if (typeof value !== 'string' || value === '' || /^\.{1,2}$/.test(value)) {
		throw refused(name, `expected an ID or a name, got ${JSON.stringify(value)}`);
	}
}

function refused(field: string, message: string): ServiceError {
	return new ServiceError('invalid-request', `${field || 'The request'}: ${message}. Nothing was sent.`, { field });
}
