import { localizable } from '#base/text/localizableMessage.ts';
import { createProtocolFault } from '../../errors/faults.ts';
import type { Reply } from '../../replyCollector.ts';
import type { DifySession } from '../management.ts';
import type { ConsoleRelease } from '../releases.ts';
import type { Ask, Credentials } from '../requests/credentials.ts';
import { createManagementFault, createSessionExpiredError } from '../requests/managementFaults.ts';
import type { ManagementRequest } from '../requests/managementRequest.ts';
import type { SignInSecrets } from '../requests/signInSecrets.ts';
import { type ConsoleTokens, readConsoleTokens } from './consoleTokens.ts';
import { formatRefreshCookies } from './cookies.ts';

type ConsoleSignIn = Extract<DifySession, { kind: 'console' }>;

/**
 * Runs a refresh while no other program refreshes the same session. `latest` is the saved session if another program has replaced this one,
 * otherwise `undefined`.
 */
export type Alone = (refresh: (latest: DifySession | undefined) => Promise<void>) => Promise<void>;

/** Access tokens aren't used in their last seconds, because a request may be in flight when they expire. */
const spareMs = 30_000;

/**
 * A console session with a single-use refresh token. Each refresh returns the next refresh token, which is saved before the new access
 * token is used. Requests run one after another, so two refreshes never run concurrently.
 */
export class ConsoleSession implements Credentials {
	readonly #release: ConsoleRelease;
	readonly #secrets: SignInSecrets;
	readonly #kept: (session: ConsoleSignIn | undefined) => void | Promise<void>;
	readonly #alone: Alone;
	#session: ConsoleSignIn;
	#tokens: ConsoleTokens | undefined;
	/** True once the current refresh token has been saved. */
	#isKept = true;
	#isOver = false;

	/**
	 * @param kept called with each new session, and awaited; called with `undefined` when the session has ended
	 * @param alone called around each refresh if other programs share the session; passes the session that they have now
	 */
	constructor(
		session: ConsoleSignIn,
		release: ConsoleRelease,
		secrets: SignInSecrets,
		kept: (session: ConsoleSignIn | undefined) => void | Promise<void>,
		alone: Alone = refresh => refresh(undefined),
	) {
		this.#session = session;
		this.#release = release;
		this.#secrets = secrets;
		this.#kept = kept;
		this.#alone = alone;
		secrets.add(session.refreshToken);
	}

	async getHeaders(ask: Ask): Promise<Readonly<Record<string, string>>> {
		if (this.#isOver) {
			throw createSessionExpiredError(undefined);
		}
		if (this.#tokens === undefined || (this.#tokens.until ?? Number.POSITIVE_INFINITY) - spareMs < Date.now()) {
			await this.#alone(async latest => {
				if (latest?.kind === 'console' && this.#isKept) {
					this.#session = latest;
					this.#secrets.add(latest.refreshToken);
				}
				await this.#refresh(ask);
				await this.#storeTokens();
			});
		}
		await this.#storeTokens();
		return this.#tokens!.headers;
	}

	/** The console rejects an expired access token before it does any work, so such a request can be sent again. */
	async onRefused({ status }: Reply, sent: Readonly<Record<string, string>>): Promise<boolean> {
		if (status !== 401) {
			return false;
		}
		if (this.#tokens?.headers === sent) {
			this.#tokens = undefined;
		}
		return true;
	}

	async #refresh(ask: Ask): Promise<void> {
		const { refreshToken } = this.#session;
		const inBody = this.#release.sends === 'bearer';
		const request: ManagementRequest = {
			purpose: 'refresh',
			method: 'POST',
			path: '/console/api/refresh-token',
			body: inBody ? { refresh_token: refreshToken } : {},
		};
		const reply = await ask(request, inBody ? {} : { cookie: formatRefreshCookies(refreshToken) });
		if (reply.status === 401) {
			this.#isOver = true;
			await this.#kept(undefined);
			throw createSessionExpiredError(reply.status);
		}
		if (reply.status >= 300) {
			throw createManagementFault(reply, request, this.#secrets);
		}
		const tokens = readConsoleTokens(reply, this.#release);
		if (tokens === undefined) {
			throw createProtocolFault(localizable`Dify refreshed its session but returned no tokens`, this.#secrets, { status: reply.status });
		}
		this.#secrets.add(...tokens.secrets);
		this.#tokens = tokens;
		this.#session = { ...this.#session, refreshToken: tokens.refreshToken };
		this.#isKept = false;
	}

	/** Saves the current refresh token. If that fails, the next request tries again, because the previous token no longer works. */
	async #storeTokens(): Promise<void> {
		if (!this.#isKept) {
			await this.#kept(this.#session);
			this.#isKept = true;
		}
	}
}
