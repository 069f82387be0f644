import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { type ChosenModel, readChosenModels } from './chosenModel.ts';

const section = 'agentWorkbench';
const setting = 'assistant.models';

/**
 * The models and agents that the user wants in VS Code's chat. In the settings of this machine alone, as connections are: no workspace can have the user
 * talk to another service under a name that they know.
 */
export class ChosenModels extends DisposableBase {
	readonly #log: vscode.LogOutputChannel;
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;

	constructor(log: vscode.LogOutputChannel) {
		super();
		this.#log = log;
		this.own(
			vscode.workspace.onDidChangeConfiguration(event => {
				if (event.affectsConfiguration(`${section}.${setting}`)) {
					this.#changed.fire();
				}
			}),
		);
	}

	list(): readonly ChosenModel[] {
		const value = vscode.workspace.getConfiguration(section).inspect(setting)?.globalValue;
		const { models, faults } = readChosenModels(value, vscode.l10n.t);
		for (const fault of faults) {
			this.#log.warn(fault);
		}
		return models;
	}

	async save(models: readonly ChosenModel[]): Promise<void> {
		const value = models.length > 0 ? models : undefined;
		await vscode.workspace.getConfiguration(section).update(setting, value, vscode.ConfigurationTarget.Global);
	}
}
