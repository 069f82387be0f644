import { randomInt, randomUUID } from 'node:crypto';
import type { DifyDeployment } from './difyDeployment.ts';

/** A device login waiting for approval. Times are Unix seconds. */
export interface DeviceLogin {
	readonly deviceCode: string;
	readonly userCode: string;
	readonly clientId: string;
	readonly label: string;
	readonly expiresAt: number;
	state: 'pending' | 'approved' | 'denied' | 'used';
	lastAsked: number | undefined;
}

/** A token of `/openapi/v1`. */
export interface AccessToken {
	readonly id: string;
	readonly token: string;
	/** `run` for a token without an account. */
	readonly scope: 'full' | 'run';
	readonly clientId: string;
	readonly label: string;
	readonly createdAt: number;
	readonly expiresAt: number;
	lastUsedAt: number | undefined;
	revoked: boolean;
	/** Times at which it was used, for the rate limit. */
	uses: number[];
}

export interface ConsoleTokens {
	readonly access: string;
	readonly csrf: string;
	readonly refresh: string;
}

const days = 24 * 3600;

/** Sign-ins: device logins and their tokens, the console's three tokens. */
export class Sessions {
	readonly logins: DeviceLogin[] = [];
	readonly tokens: AccessToken[] = [];
	readonly #fake: DifyDeployment;
	#access = new Map<string, number>();
	#csrf = new Map<string, number>();
	/** The only valid refresh token, and its expiry. */
	#refresh: { token: string; until: number } | undefined;

	constructor(fake: DifyDeployment) {
		this.#fake = fake;
	}

	beginLogin(clientId: string, label: string): DeviceLogin {
		const letters = 'BCDFGHJKLMNPQRSTVWXZ';
		const createLoginCode = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
		const login: DeviceLogin = {
			deviceCode: this.#fake.createSecret(''),
			userCode: `${createLoginCode()}-${createLoginCode()}`,
			clientId,
			label,
			expiresAt: this.#fake.getTime() + 900,
			state: 'pending',
			lastAsked: undefined,
		};
		this.logins.push(login);
		return login;
	}

	/** Approves a login as the user does in the browser; by default the last one. */
	approveLogin(login = this.logins.at(-1)): void {
		setLoginState(login, 'approved');
	}

	denyLogin(login = this.logins.at(-1)): void {
		setLoginState(login, 'denied');
	}

	/** Creates a token without a login. A token for the same client and label replaces the previous one. */
	issueToken(more: Partial<Pick<AccessToken, 'clientId' | 'label' | 'scope'>> = {}): AccessToken {
		const { clientId = 'difyctl', label = 'test', scope = 'full' } = more;
		for (const former of this.tokens) {
			former.revoked ||= former.clientId === clientId && former.label === label;
		}
		const minted: AccessToken = {
			id: randomUUID(),
			token: this.#fake.createSecret(scope === 'full' ? 'dfoa_' : 'dfoe_'),
			scope,
			clientId,
			label,
			createdAt: this.#fake.getTime(),
			expiresAt: this.#fake.getTime() + 14 * days,
			lastUsedAt: undefined,
			revoked: false,
			uses: [],
		};
		this.tokens.push(minted);
		return minted;
	}

	/** Returns the token with this text if it is still valid. */
	findToken(token: string): AccessToken | undefined {
		return this.tokens.find(each => each.token === token && !each.revoked && each.expiresAt > this.#fake.getTime());
	}

	/** Creates new console tokens. The previous refresh token becomes invalid immediately; access tokens stay valid for their hour. */
	issueConsoleTokens(): ConsoleTokens {
		const now = this.#fake.getTime();
		const tokens = {
			access: this.#fake.createSecret('eyJaccess.'),
			csrf: this.#fake.createSecret('eyJcsrf.'),
			refresh: this.#fake.createSecret('refresh-'),
		};
		this.#access.set(tokens.access, now + 3600);
		this.#csrf.set(tokens.csrf, now + 3600);
		this.#refresh = { token: tokens.refresh, until: now + 30 * days };
		return tokens;
	}

	isRefreshToken(token: string | undefined): boolean {
		return this.#refresh !== undefined && this.#refresh.token === token && this.#refresh.until > this.#fake.getTime();
	}

	getAccessTokenState(token: string): 'good' | 'expired' | 'unknown' {
		const until = this.#access.get(token);
		return until === undefined ? 'unknown' : until > this.#fake.getTime() ? 'good' : 'expired';
	}

	isCsrfToken(token: string): boolean {
		return (this.#csrf.get(token) ?? 0) > this.#fake.getTime();
	}

	/** Invalidates the refresh token; access tokens stay valid, because Dify doesn't look them up. */
	endConsoleSession(): void {
		this.#refresh = undefined;
	}
}

function setLoginState(login: DeviceLogin | undefined, state: 'approved' | 'denied'): void {
	if (login?.state !== 'pending') {
		throw new Error('No login waits for this');
	}
	login.state = state;
}
