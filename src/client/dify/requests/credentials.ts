import type { Reply } from '../../replyCollector.ts';
import type { ManagementRequest } from './managementRequest.ts';

/** Sends a request with only the credentials in `headers`; rejects if no response came. */
export type Ask = (request: ManagementRequest, headers?: Readonly<Record<string, string>>) => Promise<Reply>;

/** Credentials for a deployment. */
export interface Credentials {
	/** Returns headers for the next request; may send requests to get them. */
	getHeaders(ask: Ask): Promise<Readonly<Record<string, string>>>;
	/**
	 * Called for an unsuccessful response. Resolves to true if the request was refused before any work was done and can succeed now. `sent`
	 * are the request's headers, which may be outdated by now. Rejects if the session has ended.
	 */
	onRefused(reply: Reply, sent: Readonly<Record<string, string>>, ask: Ask): Promise<boolean>;
}

/** For endpoints that need no credentials. */
export const noCredentials: Credentials = {
	getHeaders: async () => ({}),
	onRefused: async () => false,
};
