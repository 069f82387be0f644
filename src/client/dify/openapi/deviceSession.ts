import { localizable } from '#base/text/localizableMessage.ts';
import { createProtocolFault } from '../../errors/faults.ts';
import type { Reply } from '../../replyCollector.ts';
import type { DifyGeneration, DifySession } from '../management.ts';
import type { Ask, Credentials } from '../requests/credentials.ts';
import { createManagementFault, createSessionExpiredError } from '../requests/managementFaults.ts';
import type { ManagementRequest } from '../requests/managementRequest.ts';
import type { SignInSecrets } from '../requests/signInSecrets.ts';
import { Catalog, catalogHeader, catalogRequest } from './catalog.ts';

type DeviceSignIn = Extract<DifySession, { kind: 'device' }>;

const accountRequest: ManagementRequest = { purpose: 'account', method: 'GET', path: '/openapi/v1/account' };

/** A device login's token and, from 1.18 on, the catalog that each request must name. The token can't be refreshed. */
export class DeviceSession implements Credentials {
	readonly #session: DeviceSignIn;
	readonly #secrets: SignInSecrets;
	readonly #ended: () => void | Promise<void>;
	readonly #needsCatalog: boolean;
	#catalog: Catalog | undefined;
	#isOver = false;

	/** @param ended called when the deployment no longer accepts the token */
	constructor(session: DeviceSignIn, generation: DifyGeneration, secrets: SignInSecrets, ended: () => void | Promise<void>) {
		this.#session = session;
		this.#secrets = secrets;
		this.#ended = ended;
		this.#needsCatalog = generation === 'openapi-1.18';
		secrets.add(session.token);
	}

	/** The deployment's catalog, once it has been read. */
	get catalog(): Catalog | undefined {
		return this.#catalog;
	}

	async getHeaders(ask: Ask): Promise<Readonly<Record<string, string>>> {
		if (this.#isOver) {
			throw createSessionExpiredError(undefined);
		}
		if (this.#needsCatalog && this.#catalog === undefined) {
			await this.#fetchCatalog(ask);
		}
		return this.#getAuthHeaders();
	}

	async onRefused(reply: Reply, sent: Readonly<Record<string, string>>, ask: Ask): Promise<boolean> {
		if ((reply.status === 412 && /catalog/i.test(reply.body)) || this.#isEndpointGone(reply)) {
			if (sent[catalogHeader] === this.#catalog?.fingerprint) {
				await this.#fetchCatalog(ask);
			}
			return true;
		}
		// releases respond differently to an expired token, and a 500 can have other causes
		if ((reply.status === 401 || reply.status === 500) && (await this.#isTokenDead(reply.status, ask))) {
			this.#isOver = true;
			await this.#ended();
			throw createSessionExpiredError(reply.status);
		}
		return false;
	}

	/** True if the endpoint wasn't found because a newer catalog may have moved it. */
	#isEndpointGone({ status, headers }: Reply): boolean {
		const current = headers[catalogHeader];
		return status === 404 && this.#catalog !== undefined && current !== undefined && current !== this.#catalog.fingerprint;
	}

	#getAuthHeaders(): Readonly<Record<string, string>> {
		return {
			authorization: `Bearer ${this.#session.token}`,
			...(this.#catalog && { [catalogHeader]: this.#catalog.fingerprint }),
		};
	}

	/**
	 * True if the token no longer works. If requests without a token also get a 500, the deployment is broken, and the status says nothing
	 * about the token.
	 */
	async #isTokenDead(status: number, ask: Ask): Promise<boolean> {
		const account = await ask(accountRequest, this.#getAuthHeaders());
		if (account.status === 401) {
			return true;
		}
		if (account.status !== 500) {
			return false;
		}
		return status === 401 || (await ask(accountRequest, this.#getCatalogHeaders())).status === 401;
	}

	#getCatalogHeaders(): Readonly<Record<string, string>> {
		const { authorization, ...others } = this.#getAuthHeaders();
		return others;
	}

	async #fetchCatalog(ask: Ask): Promise<void> {
		const reply = await ask(catalogRequest);
		if (reply.status >= 300) {
			throw createManagementFault(reply, catalogRequest, this.#secrets);
		}
		try {
			this.#catalog = new Catalog(reply);
		} catch {
			throw createProtocolFault(localizable`Dify's response isn't a valid list of operations`, this.#secrets, {
				status: reply.status,
			});
		}
	}
}
