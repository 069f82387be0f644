import { detectDeployment } from '../../../client/dify/detectDeployment.ts';
import type { DifyDeployment, DifyManagement, DifySession } from '../../../client/dify/management.ts';
import { openManagement } from '../../../client/dify/openManagement.ts';
import type { GivenArguments } from '../../arguments/givenArguments.ts';
import { CliFault } from '../../cliFault.ts';

const tokenVariable = 'DIFY_TOKEN';
const originVariable = 'DIFY_SERVER';

/** The account that a command works as. */
export interface DifyAccount {
	/** See `DifyWork.open`. */
	open(workspaceId: string | undefined): Promise<DifyManagement>;
}

/**
 * The account of the token in the environment. The token goes to the deployment that options or environment name and nowhere else: a sidecar file, which
 * anybody who can change the repository can write, never says where. Throws a {@link CliFault} where one of both is missing; sends nothing yet.
 */
export function difyAccount(given: GivenArguments, environment: NodeJS.ProcessEnv, signal: AbortSignal): DifyAccount {
	const address = given.text('origin') ?? environment[originVariable]?.trim();
	if (!address) {
		throw new CliFault(`Expected --origin URL, or the environment variable ${originVariable}: the Dify deployment that the token is for.`);
	}
	const token = tokenOf(given.text('token-env'), environment);
	let deployment: Promise<DifyDeployment> | undefined;
	const managements = new Map<string | undefined, DifyManagement>();
	return {
		async open(workspaceId) {
			deployment ??= detectDeployment(address, {}, { signal });
			const found = await deployment;
			let management = managements.get(workspaceId);
			if (!management) {
				management = openManagement({
					deployment: found,
					session: sessionOf(found, token, workspaceId),
					workspaceId,
					// neither token nor admin key is ever renewed
					onSession: () => {},
					signal,
				});
				managements.set(workspaceId, management);
			}
			return management;
		},
	};
}

function sessionOf({ generation }: DifyDeployment, token: string, workspaceId: string | undefined): DifySession {
	if (generation !== 'console') {
		return { kind: 'device', token, expiresAt: undefined, email: undefined };
	}
	if (workspaceId === undefined) {
		throw new CliFault('Expected --workspace ID: the admin key of a deployment up to Dify 1.14 is for all workspaces.');
	}
	return { kind: 'admin', key: token, workspaceId };
}

function tokenOf(variable: string | undefined, environment: NodeJS.ProcessEnv): string {
	const token = environment[variable ?? tokenVariable]?.trim();
	if (!token) {
		throw new CliFault(
			variable === undefined
				? `Expected the environment variable ${tokenVariable}, or another one named by --token-env, with the token of a sign-in to Dify.`
				: `--token-env ${variable}: expected an environment variable of this name that holds the token.`,
		);
	}
	return token;
}
