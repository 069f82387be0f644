import { localizable } from '#base/text/localizableMessage.ts';
import type { Call, CheckedCall } from './call.ts';
import { ServiceError } from './errors/serviceError.ts';

type CheckCall = typeof import('./limits.ts').checkCall;

/** Checks calls against the limits of the contract. The limits load with the first call; later calls are checked synchronously. */
export class CallChecker {
	#checkCall: CheckCall | undefined;

	/**
	 * Returns the call with defaults filled in. If it breaks a limit, throws or rejects with `invalid-request` and the field, before
	 * anything is sent.
	 */
	checkCall(call: Call): CheckedCall | Promise<CheckedCall> {
		return this.#checkCall ? checkCallOrThrow(call, this.#checkCall) : this.#loadLimits(call);
	}

	async #loadLimits(call: Call): Promise<CheckedCall> {
		this.#checkCall = (await import('./limits.ts')).checkCall;
		return checkCallOrThrow(call, this.#checkCall);
	}
}

function checkCallOrThrow(call: Call, checkCall: CheckCall): CheckedCall {
	const result = checkCall(call);
	if ('fault' in result) {
		const { field, message } = result.fault;
		const text = field
			? localizable`'${field}' isn't valid: ${message}. Nothing was sent.`
			: localizable`The request isn't valid: ${message}. Nothing was sent.`;
		throw new ServiceError('invalid-request', text, { field });
	}
	return result;
}
