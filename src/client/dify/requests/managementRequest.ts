import { ServiceError } from '../../errors/serviceError.ts';
import type { ManagementOperation } from '../management.ts';

/** What a request is for: an operation, or what the client needs for itself. */
export type ManagementPurpose = ManagementOperation | 'detect' | 'signIn' | 'signOut' | 'refresh' | 'account' | 'catalog';

/** A request of the management, as data. */
export interface ManagementRequest {
	readonly purpose: ManagementPurpose;
	readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** From the origin on, see {@link pathOf}. */
	readonly path: string;
	/** The path as logs may show it; default {@link path}. */
	readonly shownPath?: string;
	/** What is `undefined` is left out. */
	readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
	readonly body?: object;
	/** Its answer comes when work is done, minutes later perhaps: others do not wait for it. */
	readonly works?: boolean;
	/** Statuses from 300 on that are answers too, which whoever asks reads. */
	readonly answers?: readonly number[];
}

/** A request, or what makes it anew for each try: paths can change between two. */
export type MadeRequest = ManagementRequest | (() => ManagementRequest);

export function made(request: MadeRequest): ManagementRequest {
	return typeof request === 'function' ? request() : request;
}

/**
 * A path with its `{names}` filled in. Throws `invalid-request` for an empty value and for dots alone, which would name another path.
 */
export function pathOf(template: string, values: Readonly<Record<string, string>> = {}): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = values[name];
		if (typeof value !== 'string' || value === '' || /^\.{1,2}$/.test(value)) {
			const message = `${name}: expected an ID, got ${JSON.stringify(value)}. Nothing was sent.`;
			throw new ServiceError('invalid-request', message, { field: name });
		}
		return encodeURIComponent(value);
	});
}
