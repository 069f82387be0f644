import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceError } from '../errors/serviceError.ts';
import type { NetworkOptions } from '../networkOptions.ts';
import { ConsoleCalls } from './console/consoleCalls.ts';
import { type Alone, ConsoleSession } from './console/consoleSession.ts';
import { createConsoleSurface } from './console/consoleSurface.ts';
import {
	type DifyDeployment,
	type DifyManagement,
	type DifySession,
	type ManagementOperation,
	managementOperations,
} from './management.ts';
import { createNotOfferedError, type Surface } from './offers.ts';
import { DeviceSession } from './openapi/deviceSession.ts';
import { OpenapiCalls } from './openapi/openapiCalls.ts';
import { createOpenapiSurface, listOpenapiOffers } from './openapi/openapiSurface.ts';
import { parseManagedOrigin } from './origins.ts';
import { getConsoleRelease } from './releases.ts';
import type { Credentials } from './requests/credentials.ts';
import type { ManagementReport, ManagementTarget } from './requests/exchanges.ts';
import { createSessionExpiredError } from './requests/managementFaults.ts';
import { ManagementRequests } from './requests/managementRequests.ts';
import { SignInSecrets } from './requests/signInSecrets.ts';

export interface ManagementOptions {
	/** From `detectDeployment`. */
	readonly deployment: DifyDeployment;
	readonly session: DifySession;
	/**
	 * Workspace for all requests; by default the account's current one. Sessions with an admin key name their workspace. A console always uses
	 * the account's current workspace: if that is another one, lists and imports are refused (`workspace_switched`).
	 */
	readonly workspaceId?: string | undefined;
	readonly network?: NetworkOptions | undefined;
	/**
	 * Called with each new session, to save in place of the previous one, which no longer works. No request is sent until this resolves.
	 * `undefined`: the session has ended.
	 */
	readonly onSession: (session: DifySession | undefined) => void | Promise<void>;
	/**
	 * Required if several programs share a console session, because its refresh token only works once. Called around each refresh, and passes
	 * the saved session.
	 */
	readonly alone?: Alone | undefined;
	/** Called after every request; no report contains a token. */
	readonly onRequest?: (report: ManagementReport) => void;
	/** Aborts all requests. */
	readonly signal?: AbortSignal | undefined;
}

/** Default limit of `/openapi` per token, in requests per minute. */
const openapiPerMinute = 60;

/**
 * Opens the management of a deployment for a session. Device logins use `/openapi/v1`, others the console. Sends nothing yet. Throws
 * `ServiceError` for an address without TLS, and for a kind of session that the deployment doesn't support.
 */
export function openManagement(options: ManagementOptions): DifyManagement {
	const { deployment, session } = options;
	const origin = parseManagedOrigin(deployment.origin);
	const secrets = new SignInSecrets([]);
	const target = { origin, network: options.network, onRequest: options.onRequest, signal: options.signal };
	if (session.kind === 'device') {
		if (deployment.generation === 'console') {
			const message = localizable`${origin} doesn't support browser sign-in. This requires Dify 1.15 or later with OPENAPI_ENABLED=true.`;
			throw new ServiceError('not-found', message, { code: 'switched_off' });
		}
		const device = new DeviceSession(session, deployment.generation, secrets, () => options.onSession(undefined));
		const calls = new OpenapiCalls(
			createRequests({ ...target, perMinute: openapiPerMinute }, device, secrets),
			device,
			deployment,
			options.workspaceId,
		);
		const surface = createOpenapiSurface(calls);
		return createManagement(deployment, surface, { offers: () => listOpenapiOffers(surface, calls), workspaceId: () => calls.workspaceId });
	}
	let workspaceId = session.kind === 'admin' ? session.workspaceId : options.workspaceId;
	const credentials =
		session.kind === 'admin'
			? createAdminCredentials(session, () => workspaceId ?? session.workspaceId, secrets)
			: new ConsoleSession(session, getConsoleRelease(deployment), secrets, options.onSession, options.alone);
	const calls = new ConsoleCalls(createRequests(target, credentials, secrets));
	const surface = createConsoleSurface(calls, deployment.version, session.kind, {
		getId: () => workspaceId,
		switchTo: id => {
			workspaceId = id;
		},
	});
	const offers = new Set(managementOperations.filter(operation => surface[operation] !== undefined));
	return createManagement(deployment, surface, { offers: () => offers, workspaceId: () => workspaceId });
}

function createRequests(target: ManagementTarget, credentials: Credentials, secrets: SignInSecrets): ManagementRequests {
	return new ManagementRequests(target, credentials, secrets);
}

/** Completes a surface with methods that reject for missing operations. */
function createManagement(
	deployment: DifyDeployment,
	surface: Surface,
	state: { readonly offers: () => ReadonlySet<ManagementOperation>; readonly workspaceId: () => string | undefined },
): DifyManagement {
	const methods = managementOperations.map(operation => {
		const method = surface[operation] as ((...values: unknown[]) => unknown) | undefined;
		const refuse = createMissingMethod(operation, deployment);
		return [operation, (...values: unknown[]) => (method && state.offers().has(operation) ? method(...values) : refuse())] as const;
	});
	return {
		deployment,
		get offers() {
			return state.offers();
		},
		get workspaceId() {
			return state.workspaceId();
		},
		...(Object.fromEntries(methods) as unknown as Required<Surface>),
	};
}

/** Creates a method for a missing operation. Streams throw when they are read; other methods reject. */
function createMissingMethod(operation: ManagementOperation, deployment: DifyDeployment): () => unknown {
	if (operation === 'streamDraft' || operation === 'streamDraftChat' || operation === 'followRun') {
		// biome-ignore lint/correctness/useYield: it throws before there is anything to yield
		return async function* () {
			throw createNotOfferedError(operation, deployment);
		};
	}
	return async () => {
		throw createNotOfferedError(operation, deployment);
	};
}

/** Credentials of a deployment's `ADMIN_API_KEY`, which acts as the owner of the named workspace. */
function createAdminCredentials(
	{ key }: Extract<DifySession, { kind: 'admin' }>,
	workspaceId: () => string,
	secrets: SignInSecrets,
): Credentials {
	secrets.add(key);
	return {
		getHeaders: async () => ({ authorization: `Bearer ${key}`, 'x-workspace-id': workspaceId() }),
		async onRefused({ status }) {
			if (status === 401) {
				throw createSessionExpiredError(status);
			}
			return false;
		},
	};
}
