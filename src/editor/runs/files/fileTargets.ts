import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { AgentTrigger } from '#contract/agents.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { askSecret } from './askSecret.ts';

interface Target {
	readonly connectionId: string;
	readonly user?: string;
}

const stateKey = 'agentWorkbench.runFileTargets';
const triggersKey = 'runFiles.triggers';
const inputsKey = 'agentWorkbench.runFileInputs';

/**
 * Remembers the user's choices for run files in this workspace: the connection, the user, the trigger, and the last values of `${input:…}`.
 */
export class FileTargets extends DisposableBase {
	readonly #connections: Connections;
	readonly #memory: vscode.Memento;
	readonly #chose = this.register(new vscode.EventEmitter<void>());
	/** Fires when a connection or user was chosen for a run file. */
	readonly onDidChoose = this.#chose.event;

	constructor(connections: Connections, memory: vscode.Memento) {
		super();
		this.#connections = connections;
		this.#memory = memory;
	}

	/**
	 * Returns the connection that was chosen for a run file, with the chosen user. Returns the default connection if none was chosen or it no
	 * longer exists.
	 */
	getConnection(file: vscode.Uri): Connection {
		const target = this.#getTarget(file);
		const connection = target && this.#connections.get(target.connectionId);
		return connection ? { ...connection, user: target.user ?? connection.user } : this.#connections.getDefault();
	}

	isConnectionChosen(file: vscode.Uri): boolean {
		return this.#getTarget(file) !== undefined;
	}

	/** Asks for the connection and the user of a run file. */
	async chooseConnection(file: vscode.Uri): Promise<void> {
		const standard = this.#connections.getDefault();
		const items: (vscode.QuickPickItem & { connection?: Connection })[] = [
			{ label: vscode.l10n.t('Default connection'), description: `${standard.name} · ${standard.user}` },
			{ label: '', kind: vscode.QuickPickItemKind.Separator },
			...this.#connections.list().map(connection => ({ label: connection.name, description: connection.baseUrl ?? '', connection })),
		];
		const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Connection for this run file') });
		if (!picked) {
			return;
		}
		if (!picked.connection) {
			return this.#saveTarget(file, undefined);
		}
		const user = await vscode.window.showInputBox({
			title: vscode.l10n.t('User for this run file'),
			prompt: vscode.l10n.t("End user to send with the run, unless the file sets 'user'"),
			value: this.#getTarget(file)?.user ?? picked.connection.user,
		});
		if (user !== undefined) {
			await this.#saveTarget(file, {
				connectionId: picked.connection.id,
				...(user === '' || user === picked.connection.user ? {} : { user }),
			});
		}
	}

	/** Asks for the value of `${input:NAME}`. The last answer is the default, but a secret is never remembered. */
	async askInput(file: vscode.Uri, name: string, secret: boolean): Promise<string | undefined> {
		if (secret) {
			return askSecret(name);
		}
		const readInputs = () => this.#memory.get<Record<string, string>>(inputsKey, {});
		const key = `${file.toString()} ${name}`;
		const answer = await vscode.window.showInputBox({
			title: name,
			prompt: escapeLinks(vscode.l10n.t("Value for '{0}'", `\${input:${name}}`)),
			value: readInputs()[key] ?? '',
			ignoreFocusOut: true,
		});
		if (answer !== undefined) {
			await this.#memory.update(inputsKey, { ...readInputs(), [key]: answer });
		}
		return answer;
	}

	/**
	 * Asks for the trigger of a run if the agent has several, with the last choice first. `key` identifies the agent. Rejects if the user
	 * cancels.
	 */
	async chooseTrigger(key: string, triggers: readonly Pick<AgentTrigger, 'id' | 'title' | 'type'>[]): Promise<string | undefined> {
		if (triggers.length < 2) {
			return undefined;
		}
		const known = this.#memory.get<Record<string, string>>(triggersKey, {});
		const items = triggers
			.toSorted((a, b) => Number(b.id === known[key]) - Number(a.id === known[key]))
			.map(({ id, title, type }) => ({ label: title, description: type, detail: id, id }));
		const picked = await vscode.window.showQuickPick(items, {
			placeHolder: vscode.l10n.t('Select a trigger'),
			matchOnDetail: true,
		});
		if (!picked) {
			throw new vscode.CancellationError();
		}
		await this.#memory.update(triggersKey, { ...known, [key]: picked.id });
		return picked.id;
	}

	#getTarget(file: vscode.Uri): Target | undefined {
		return this.#memory.get<Record<string, Target>>(stateKey, {})[file.toString()];
	}

	async #saveTarget(file: vscode.Uri, target: Target | undefined): Promise<void> {
		const { [file.toString()]: _, ...others } = this.#memory.get<Record<string, Target>>(stateKey, {});
		await this.#memory.update(stateKey, target ? { ...others, [file.toString()]: target } : others);
		this.#chose.fire();
	}
}
