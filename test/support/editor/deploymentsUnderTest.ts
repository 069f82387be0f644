import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import type { ConnectionEntry } from '#editor/connections/connectionEntries.ts';
import { getConsoleOrigin } from '#editor/dify/consoleOrigin.ts';
import { Deployments } from '#editor/dify/deployments.ts';
import { DifyClient } from '#editor/dify/difyClient.ts';
import { createManagementHandlers } from '#editor/dify/managementActions.ts';
import { SessionStore } from '#editor/dify/sessions/sessionStore.ts';
import { SharedTurns } from '#editor/dify/sessions/sharedTurns.ts';
import { signInToDeployment } from '#editor/dify/sessions/signIn.ts';
import type { DifyDeployment } from '../services/dify/difyDeployment.ts';
import { type Answers, answerDialogs, type Shown } from './answers.ts';
import { ConnectionsUnderTest } from './connectionsUnderTest.ts';

/** The deployments of a window as the extension wires them, with separate connections. */
export class DeploymentsUnderTest {
	readonly window: ConnectionsUnderTest;
	readonly deployments: Deployments;
	readonly sessions: SessionStore;
	readonly turns: SharedTurns;
	readonly handlers: CommandHandlers;

	/** `beside`: another window of the same user. */
	constructor(beside?: DeploymentsUnderTest) {
		this.window = new ConnectionsUnderTest(beside?.window);
		const { settings, keys, secrets, log, dataFolder } = this.window;
		const client = new DifyClient(log.channel);
		this.sessions = new SessionStore(secrets, log.channel);
		this.turns = new SharedTurns(path.join(dataFolder, 'dify'));
		const { sessions, turns } = this;
		const signInToConnection = (id: string) => {
			const entry = this.deployments.getConnectionEntry(id);
			return signInToDeployment({ client, sessions, deployments: this.deployments }, entry, getConsoleOrigin(entry));
		};
		this.deployments = new Deployments({ settings, client, sessions, turns, signIn: signInToConnection });
		this.handlers = createManagementHandlers({
			deployments: this.deployments,
			settings,
			keys,
			client,
			sessions,
			turns,
			log: log.channel,
			signIn: signInToConnection,
		});
	}

	/** Adds a connection to a deployment, without a key. */
	addConnection(fake: Pick<DifyDeployment, 'origin'>, more: Partial<ConnectionEntry> = {}): Promise<ConnectionEntry> {
		return this.window.addConnection({ id: 'dify', name: 'Team', kind: 'dify', baseUrl: `${fake.origin}/v1`, ...more });
	}

	/** Runs a command and answers its dialogs. Rejects if the command fails. */
	runCommand(command: keyof CommandHandlers, argument: unknown, answers: Answers = {}): Promise<Shown> {
		return answerDialogs(answers, async () => this.handlers[command]!(argument));
	}

	/** Signs in with the browser; the login is approved immediately. */
	async signInByCode(fake: DifyDeployment): Promise<Shown> {
		const waiting = setInterval(() => fake.sessions.logins.at(-1)?.state === 'pending' && fake.sessions.approveLogin(), 5);
		try {
			return await this.runCommand('agentWorkbench.dify.signIn', 'dify', { picks: ['$(globe) Browser'], button: 'Copy code' });
		} finally {
			clearInterval(waiting);
		}
	}

	signInByPassword(fake: DifyDeployment): Promise<Shown> {
		const { email, password } = fake.account;
		return this.runCommand('agentWorkbench.dify.signIn', 'dify', { picks: ['$(lock) Email and password'], texts: [email, password] });
	}

	/** Returns the content of SecretStorage. */
	async readSecrets(): Promise<string> {
		const { secrets } = this.window;
		const names = await secrets.keys();
		return (await Promise.all(names.map(async name => `${name} ${await secrets.get(name)}`))).join('\n');
	}

	/** Returns the texts that other extensions and users can read: the log and the settings. */
	readLogAndSettings(): string {
		const settings = vscode.workspace.getConfiguration('agentWorkbench').inspect('connections')?.globalValue;
		return `${this.window.log.lines.join('\n')}\n${JSON.stringify(settings)}`;
	}

	closeWindow(): void {
		this.deployments.dispose();
		this.sessions.dispose();
		this.turns.dispose();
		this.window.closeWindow();
	}

	async dispose(): Promise<void> {
		this.deployments.dispose();
		this.sessions.dispose();
		this.turns.dispose();
		await this.window.dispose();
	}
}
