import type { Call, CheckedCall } from './call.ts';
import { ServiceError } from './errors/serviceError.ts';

type CheckCall = typeof import('./limits.ts').checkCall;

/** Checks calls against the limits of the contract, which are loaded with the first call; the others do not wait. */
export class CallChecker {
	#checkCall: CheckCall | undefined;

	/**
	 * The call with its defaults filled in. Throws or rejects with `invalid-request`, the field and what it must be, if it breaks a limit;
	 * nothing was sent then.
	 */
	check(call: Call): CheckedCall | Promise<CheckedCall> {
		return this.#checkCall ? checked(call, this.#checkCall) : this.#load(call);
	}

	async #load(call: Call): Promise<CheckedCall> {
		this.#checkCall = (await import('./limits.ts')).checkCall;
		return checked(call, this.#checkCall);
	}
}

function checked(call: Call, checkCall: CheckCall): CheckedCall {
	const result = checkCall(call);
	if ('fault' in result) {
		const { field, message } = result.fault;
		throw new ServiceError('invalid-request', `${field || 'The request'}: ${message}. Nothing was sent.`, { field });
	}
	return result;
}
