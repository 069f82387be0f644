import { detectDeployment } from '#client/dify/detectDeployment.ts';
import type { DifyDeployment, DifyManagement, DifySession } from '#client/dify/management.ts';
import { openManagement } from '#client/dify/openManagement.ts';
import { parseManagedOrigin } from '#client/dify/origins.ts';
import type { GivenArguments } from '../../arguments/givenArguments.ts';
import { CliFault } from '../../cliFault.ts';
import { getTokenFile, readTokens } from './tokenFile.ts';

const tokenVariable = 'DIFY_TOKEN';
const originVariable = 'DIFY_SERVER';

/** The account that a command uses. */
interface DifyAccount {
	/** See `DifyWork.open`. */
	open(workspaceId: string | undefined): Promise<DifyManagement>;
	/** Message to show if Dify no longer accepts the token. */
	readonly refused: string;
}

/**
 * Finds the account: by a token in the environment or the token stored by `dify login`. The token is only sent to the server that options,
 * environment or the stored sign-in name, never to one named by a sidecar file, which anyone with write access to the repository could
 * change. Throws a {@link CliFault} if there is no server or no token. Doesn't send any request yet.
 */
export function openDifyAccount(given: GivenArguments, environment: NodeJS.ProcessEnv, signal: AbortSignal): DifyAccount {
	// a token in the environment is never sent to a server that only a stored sign-in names
	const hasToken = given.has('token-env') || Boolean(environment[tokenVariable]?.trim());
	const address = hasToken ? getNamedOrigin(given, environment) : chooseOrigin(given, environment);
	if (!address) {
		throw new CliFault(
			`Expected --origin URL, or the environment variable ${originVariable} with the Dify server to use. Or sign in with agent-workbench dify login.`,
		);
	}
	const { token, refused } = findToken(given.getValue('token-env'), environment, address);
	let deployment: Promise<DifyDeployment> | undefined;
	const managements = new Map<string | undefined, DifyManagement>();
	return {
		refused,
		async open(workspaceId) {
			deployment ??= detectDeployment(address, {}, { signal });
			const found = await deployment;
			let management = managements.get(workspaceId);
			if (!management) {
				management = openManagement({
					deployment: found,
					session: createSession(found, token, workspaceId),
					workspaceId,
					// these tokens are never renewed
					onSession: () => {},
					signal,
				});
				managements.set(workspaceId, management);
			}
			return management;
		},
	};
}

function createSession({ generation }: DifyDeployment, token: string, workspaceId: string | undefined): DifySession {
	if (generation !== 'console') {
		return { kind: 'device', token, expiresAt: undefined, email: undefined };
	}
	if (workspaceId === undefined) {
		throw new CliFault('Expected --workspace ID: an admin key (Dify up to 1.14) covers all workspaces.');
	}
	return { kind: 'admin', key: token, workspaceId };
}

/** Returns the server that options or environment name, or the only one with a stored token. */
export function chooseOrigin(given: GivenArguments, environment: NodeJS.ProcessEnv): string | undefined {
	const named = getNamedOrigin(given, environment);
	const stored = named === undefined ? Object.keys(readTokens(getTokenFile(environment))) : [];
	return named ?? (stored.length === 1 ? stored[0] : undefined);
}

/** Returns the server that options or environment name. */
export function getNamedOrigin(given: GivenArguments, environment: NodeJS.ProcessEnv): string | undefined {
	const named = given.getValue('origin') ?? environment[originVariable]?.trim();
	return named ? parseManagedOrigin(named) : undefined;
}

function findToken(
	variable: string | undefined,
	environment: NodeJS.ProcessEnv,
	origin: string,
): { readonly token: string; readonly refused: string } {
	const name = variable ?? tokenVariable;
	const token = environment[name]?.trim();
	if (token) {
		const renew = `Create a new one with "agent-workbench dify login --origin ${origin} --print-token" and update ${name}, for example in the secrets of your CI.`;
		return {
			token,
			refused: `Dify doesn't accept the token in ${name} anymore: it has expired (sign-ins last two weeks by default) or was revoked. ${renew}`,
		};
	}
	if (variable !== undefined) {
		throw new CliFault(`--token-env ${variable}: the environment variable isn't set.`);
	}
	const stored = readTokens(getTokenFile(environment))[origin];
	const signIn = `Sign in with "agent-workbench dify login --origin ${origin}".`;
	if (!stored) {
		throw new CliFault(
			`Expected a token for ${origin}. ${signIn} In CI, set the environment variable ${tokenVariable}, or name another one with --token-env.`,
		);
	}
	const ended = `The sign-in to ${origin} has ended: it expired or was revoked. ${signIn}`;
	if (stored.expiresAt !== undefined && stored.expiresAt * 1000 <= Date.now()) {
		throw new CliFault(ended);
	}
	return { token: stored.token, refused: ended };
}
