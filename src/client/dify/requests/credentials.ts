import type { Reply } from '../../replyCollector.ts';
import type { ManagementRequest } from './managementRequest.ts';

/** Sends a request as it stands, without credentials but those in `headers`; rejects where no answer came. */
export type Ask = (request: ManagementRequest, headers?: Readonly<Record<string, string>>) => Promise<Reply>;

/** What proves to a deployment who asks. */
export interface Credentials {
	/** Headers for the next request; may ask the deployment for what it lacks. */
	headers(ask: Ask): Promise<Readonly<Record<string, string>>>;
	/**
	 * Hears of an answer that is no success, and does what it can about it: resolves to true where the request was refused before anything was done of it and can
	 * work now. `sent` are the headers that it had: by now there may be newer ones. Rejects where the session is over.
	 */
	refused(reply: Reply, sent: Readonly<Record<string, string>>, ask: Ask): Promise<boolean>;
}

/** Nobody: what a deployment says to all. */
export const noCredentials: Credentials = {
	headers: async () => ({}),
	refused: async () => false,
};
