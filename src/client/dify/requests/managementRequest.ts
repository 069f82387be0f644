import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceError } from '../../errors/serviceError.ts';
import type { ManagementOperation } from '../management.ts';

/** Purpose of a request: an operation, or an internal need of the client. */
export type ManagementPurpose = ManagementOperation | 'detect' | 'signIn' | 'signOut' | 'refresh' | 'account' | 'catalog';

/** A request of the management, as data. */
export interface ManagementRequest {
	readonly purpose: ManagementPurpose;
	readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Path after the origin, with `{names}` (see {@link fillPath}). */
	readonly path: string;
	/** Path for logs; default {@link path}. */
	readonly shownPath?: string;
	/** Fields that are `undefined` are omitted. */
	readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
	readonly body?: object;
	/** The response can take minutes, so other requests don't wait for it. */
	readonly works?: boolean;
	/** Statuses from 300 on that the caller handles as responses. */
	readonly answers?: readonly number[];
}

/** A request, or a function that rebuilds it for each attempt, because paths can change in between. */
export type MadeRequest = ManagementRequest | (() => ManagementRequest);

export function resolveRequest(request: MadeRequest): ManagementRequest {
	return typeof request === 'function' ? request() : request;
}

/** Fills in the `{names}` of a path. Throws `invalid-request` for empty values and for `.` and `..`, which would change the path. */
export function fillPath(template: string, values: Readonly<Record<string, string>> = {}): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = values[name];
		if (typeof value !== 'string' || value === '' || /^\.{1,2}$/.test(value)) {
			const message = localizable`'${name}' isn't valid: expected an ID, got ${JSON.stringify(value) ?? 'undefined'}. Nothing was sent.`;
			throw new ServiceError('invalid-request', message, { field: name });
		}
		return encodeURIComponent(value);
	});
}
