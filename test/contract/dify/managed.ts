import { consoleLogin } from '#client/dify/consoleLogin.ts';
import { detectDeployment } from '#client/dify/detectDeployment.ts';
import type { DifyManagement, DifySession } from '#client/dify/management.ts';
import { openManagement } from '#client/dify/openManagement.ts';
import type { ManagementReport } from '#client/dify/requests/exchanges.ts';
import { type DifyDeployment, type DifyOptions, startDifyDeployment } from '../../support/services/dify/difyDeployment.ts';

/** A deployment, somebody who is signed in to it, and what became known of that. */
export interface Managed {
	readonly fake: DifyDeployment;
	readonly management: DifyManagement;
	/** What it was opened with. */
	readonly session: DifySession;
	/** Sessions that were handed over to be kept, in their order. */
	readonly sessions: (DifySession | undefined)[];
	readonly reports: ManagementReport[];
	/** The same deployment as another session. */
	open(session: DifySession): DifyManagement;
}

const started: DifyDeployment[] = [];
/** No proxy variables of this machine. */
const network = { environment: {} };

/** Starts a deployment and signs in as its generation has it. */
export async function manage(options: DifyOptions): Promise<Managed> {
	const fake = await start(options);
	const deployment = await detectDeployment(fake.origin, { network });
	const sessions: (DifySession | undefined)[] = [];
	const reports: ManagementReport[] = [];
	const open = (session: DifySession) =>
		openManagement({
			deployment,
			session,
			network,
			onSession: async kept => {
				sessions.push(kept);
			},
			onRequest: report => reports.push(report),
		});
	const session = fake.release.openapi === undefined ? await password(fake) : device(fake);
	fake.requests.length = 0;
	return { fake, management: open(session), session, sessions, reports, open };
}

/** Starts a deployment that {@link stopAll} stops. */
export async function start(options: DifyOptions): Promise<DifyDeployment> {
	const fake = await startDifyDeployment(options);
	started.push(fake);
	return fake;
}

/** Stops all, and fails for what went wrong inside one. */
export async function stopAll(): Promise<void> {
	const stopped = started.splice(0);
	await Promise.all(stopped.map(fake => fake.stop()));
	const [error] = stopped.flatMap(fake => fake.errors);
	if (error) {
		throw error;
	}
}

/** A session of a device login. */
export function device(fake: DifyDeployment): DifySession {
	return { kind: 'device', token: fake.sessions.issueToken().token, expiresAt: undefined, email: fake.account.email };
}

/** A session of the console. */
export async function password(fake: DifyDeployment): Promise<DifySession> {
	const deployment = await detectDeployment(fake.origin, { network });
	const { email, password } = fake.account;
	return (await consoleLogin(deployment, { email, password, network })).session;
}

/** The file of an app that says hello. */
export function fileOf({ name = 'Hello', mode = 'workflow', version = '0.4.0', title = 'End', edgeTo = 'end' } = {}): string {
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

/** Paths that the deployment was asked for, with their methods. */
export function asked(fake: DifyDeployment): string[] {
	return fake.requests.map(({ method, path }) => `${method} ${path}`);
}
