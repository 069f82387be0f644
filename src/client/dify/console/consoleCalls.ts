import type { CallOptions } from '../../caller.ts';
import { ServiceError } from '../../errors/serviceError.ts';
import type { Reply } from '../../replyCollector.ts';
import type { ReplyFields } from '../readers/fields.ts';
import { fillPath, type ManagementPurpose, type ManagementRequest } from '../requests/managementRequest.ts';
import type { ManagementRequests } from '../requests/managementRequests.ts';

/** One call of a console endpoint. */
export interface ConsoleCall extends Omit<ManagementRequest, 'purpose' | 'path' | 'shownPath'> {
	/** Path after `/console/api`, with `{names}`. */
	readonly path: string;
	readonly values?: Readonly<Record<string, string>>;
	/** Name of the path placeholder whose value must not be shown. */
	readonly hides?: string;
}

/** Calls the console's API. */
export class ConsoleCalls {
	readonly requests: ManagementRequests;

	constructor(requests: ManagementRequests) {
		this.requests = requests;
	}

	async requestJson<R>(
		purpose: ManagementPurpose,
		call: ConsoleCall,
		options: CallOptions | undefined,
		read: (value: ReplyFields, reply: Reply) => R,
	): Promise<R> {
		return this.requests.requestJson<ReplyFields, R>(this.buildRequest(purpose, call), options, read);
	}

	/** Like {@link requestJson}, but returns `undefined` if the console responds with 404. */
	async requestJsonIfAny<R>(
		purpose: ManagementPurpose,
		call: ConsoleCall,
		options: CallOptions | undefined,
		read: (value: ReplyFields) => R,
	): Promise<R | undefined> {
		try {
			return await this.requestJson(purpose, call, options, read);
		} catch (error) {
			if (error instanceof ServiceError && error.status === 404 && error.code !== 'switched_off') {
				return undefined;
			}
			throw error;
		}
	}

	buildRequest(purpose: ManagementPurpose, { path, values = {}, hides, ...call }: ConsoleCall): ManagementRequest {
		const whole = `/console/api${path}`;
		return {
			purpose,
			path: fillPath(whole, values),
			...(hides !== undefined && { shownPath: fillPath(whole, { ...values, [hides]: '***' }) }),
			...call,
		};
	}
}
