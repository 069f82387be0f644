import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { DifyCommand } from '#base/commandIds.ts';
import { DifyCore } from '#editor/dify/difyCore.ts';
import type { AppOfDeployment } from '#editor/dify/difyTypes.ts';
import type { DifyFeatureParts } from '#editor/dify/register.ts';
import type { DifyDeployment } from '../services/dify/difyDeployment.ts';
import type { FakeApp } from '../services/dify/state.ts';
import { type Answers, answerDialogs, type Shown } from './answers.ts';
import type { Done } from './appsUnderTest.ts';
import { ConnectionsUnderTest } from './connectionsUnderTest.ts';
import { MemoryState } from './memoryState.ts';
import { recordCommands } from './recordedCommands.ts';

/** The Dify features of a window as the extension wires them. Only the editor and the deployment are fakes. */
export class DifyUnderTest {
	readonly window: ConnectionsUnderTest;
	readonly core: DifyCore;
	/** The editor's workspace state. There is no global state, because nothing may use it. */
	readonly memory: MemoryState;
	/** All messages shown during commands. */
	readonly said: string[] = [];

	/** `beside`: another window of the same user with the same workspace. */
	constructor(beside?: DifyUnderTest) {
		this.window = new ConnectionsUnderTest(beside?.window);
		this.memory = beside?.memory ?? new MemoryState();
		const { settings, keys, secrets, log, dataFolder, registry } = this.window;
		fs.mkdirSync(this.agents, { recursive: true });
		this.core = new DifyCore({
			context: { secrets, workspaceState: this.memory, globalStorageUri: vscode.Uri.file(dataFolder) },
			dataFolder,
			connections: registry,
			settings,
			keys,
			agentFolders: () => [this.agents],
			// no draft runs in these tests
			runs: { records: { list: () => [], onDidChange: () => ({ dispose() {} }) } },
			log: log.channel,
		} as unknown as DifyFeatureParts);
	}

	get agents(): string {
		return path.join(this.window.dataFolder, 'agents');
	}

	/** Adds the connection and signs in with the method of its generation. */
	async signIn(fake: DifyDeployment): Promise<void> {
		await this.window.addConnection({ id: 'dify', name: 'Team', kind: 'dify', baseUrl: `${fake.origin}/v1` });
		await this.signInAgain(fake);
	}

	async signInAgain(fake: DifyDeployment, more: Answers = {}): Promise<Done> {
		const { email, password } = fake.account;
		const isConsole = fake.release.openapi === undefined;
		const approving = setInterval(() => fake.sessions.logins.at(-1)?.state === 'pending' && fake.sessions.approveLogin(), 5);
		try {
			return await this.runCommand('agentWorkbench.dify.signIn', 'dify', {
				...(isConsole
					? { picks: ['$(lock) Email and password'], texts: [email, password] }
					: { picks: ['$(globe) Browser'], button: 'Copy code' }),
				...more,
			});
		} finally {
			clearInterval(approving);
		}
	}

	toAppOfDeployment(app: FakeApp): AppOfDeployment {
		return { connectionId: 'dify', app: { id: app.id, name: app.name, description: '', mode: app.mode, updatedAt: undefined } };
	}

	getFileUri(name: string): vscode.Uri {
		return vscode.Uri.file(path.join(this.agents, name));
	}

	readFile(name: string): string {
		return fs.readFileSync(path.join(this.agents, name), 'utf8');
	}

	writeFile(name: string, text: string): vscode.Uri {
		fs.writeFileSync(path.join(this.agents, name), text);
		return this.getFileUri(name);
	}

	changeFile(name: string, by: (text: string) => string): vscode.Uri {
		return this.writeFile(name, by(this.readFile(name)));
	}

	/** Returns the backups of overwritten texts, oldest first. */
	readBackups(): string[] {
		const cwd = path.join(this.window.dataFolder, 'dify-backups');
		const files = fs.existsSync(cwd) ? fs.globSync('*/*.yml', { cwd }) : [];
		return files
			.sort((a, b) => path.basename(a).localeCompare(path.basename(b)))
			.map(file => fs.readFileSync(path.join(cwd, file), 'utf8'));
	}

	/** Runs a command and answers its dialogs. */
	async runCommand(command: DifyCommand, argument: unknown, answers: Answers = {}, selected?: unknown): Promise<Done> {
		let error: Error | undefined;
		let shown: Shown | undefined;
		const executed = await recordCommands(async () => {
			shown = await answerDialogs(answers, async () => {
				try {
					await this.core.executeCommand(command, argument, selected);
				} catch (cause) {
					error = cause as Error;
				}
			});
		});
		const done = { ...(shown as Shown), error, executed };
		this.said.push(JSON.stringify({ ...done, error: undefined }), String(error?.stack ?? ''));
		return done;
	}

	/** Returns everything stored or shown outside SecretStorage: messages, log, settings, memory and all files. */
	async readUnprotectedData(): Promise<string> {
		const settings = JSON.stringify(vscode.workspace.getConfiguration('agentWorkbench').inspect('connections')?.globalValue);
		const memory = this.memory.keys().map(key => JSON.stringify(this.memory.get(key)));
		const files = fs
			.globSync('**/*', { cwd: this.window.dataFolder, withFileTypes: true })
			.filter(entry => entry.isFile())
			.map(entry => fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
		return [...this.said, ...this.window.log.lines, settings, ...memory, ...files].join('\n');
	}

	closeWindow(): void {
		this.core.dispose();
		this.window.closeWindow();
	}

	async dispose(): Promise<void> {
		this.core.dispose();
		await this.window.dispose();
	}
}
