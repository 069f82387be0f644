import { logInToConsole } from '#client/dify/consoleLogin.ts';
import { detectDeployment } from '#client/dify/detectDeployment.ts';
import type { DifyManagement, DifySession } from '#client/dify/management.ts';
import { openManagement } from '#client/dify/openManagement.ts';
import type { ManagementReport } from '#client/dify/requests/exchanges.ts';
import { type DifyDeployment, type DifyOptions, startDifyDeployment } from '../../support/services/dify/difyDeployment.ts';

/** A deployment with a signed-in user, and its reports and sessions. */
export interface Managed {
	readonly fake: DifyDeployment;
	readonly management: DifyManagement;
	/** The initial session. */
	readonly session: DifySession;
	/** Sessions passed to the storage callback, in order. */
	readonly sessions: (DifySession | undefined)[];
	readonly reports: ManagementReport[];
	/** Opens the same deployment with another session. */
	open(session: DifySession): DifyManagement;
}

const started: DifyDeployment[] = [];
/** Ignores the proxy variables of this machine. */
const network = { environment: {} };

/** Starts a deployment and signs in as its generation requires. */
export async function manageDeployment(options: DifyOptions): Promise<Managed> {
	const fake = await startTrackedDeployment(options);
	const deployment = await detectDeployment(fake.origin, { network });
	const sessions: (DifySession | undefined)[] = [];
	const reports: ManagementReport[] = [];
	const openWithSession = (session: DifySession) =>
		openManagement({
			deployment,
			session,
			network,
			onSession: async kept => {
				sessions.push(kept);
			},
			onRequest: report => reports.push(report),
		});
	const session = fake.release.openapi === undefined ? await createPasswordSession(fake) : createDeviceSession(fake);
	fake.requests.length = 0;
	return { fake, management: openWithSession(session), session, sessions, reports, open: openWithSession };
}

/** Starts a deployment that {@link stopDeployments} stops. */
export async function startTrackedDeployment(options: DifyOptions): Promise<DifyDeployment> {
	const fake = await startDifyDeployment(options);
	started.push(fake);
	return fake;
}

/** Stops all deployments and throws if an error occurred inside one. */
export async function stopDeployments(): Promise<void> {
	const stopped = started.splice(0);
	await Promise.all(stopped.map(fake => fake.stop()));
	const [error] = stopped.flatMap(fake => fake.errors);
	if (error) {
		throw error;
	}
}

/** Creates a session by a device login. */
export function createDeviceSession(fake: DifyDeployment): DifySession {
	return { kind: 'device', token: fake.sessions.issueToken().token, expiresAt: undefined, email: fake.account.email };
}

/** Creates a session of the console. */
export async function createPasswordSession(fake: DifyDeployment): Promise<DifySession> {
	const deployment = await detectDeployment(fake.origin, { network });
	const { email, password } = fake.account;
	return (await logInToConsole(deployment, { email, password, network })).session;
}

/** Creates the file of an app that greets. */
export function createAgentText({ name = 'Hello', mode = 'workflow', version = '0.4.0', title = 'End', edgeTo = 'end' } = {}): string {
	return `app: {name: ${name}, mode: ${mode}, description: Says hello}
kind: app
version: ${version}
workflow:
  graph:
    nodes:
    - {id: start, data: {type: start, title: Start, variables: []}}
    - {id: end, data: {type: ${mode === 'workflow' ? 'end, outputs: []' : 'answer, answer: Hello'}, title: ${title}}}
    edges:
    - {id: e1, source: start, target: ${edgeTo}}
  features: {}
  environment_variables: []
  conversation_variables: []
`;
}

/** Returns methods and paths of the deployment's requests. */
export function listRequests(fake: DifyDeployment): string[] {
	return fake.requests.map(({ method, path }) => `${method} ${path}`);
}
