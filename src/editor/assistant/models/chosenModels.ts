import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { type ChosenModel, readChosenModels } from './chosenModel.ts';

const section = 'agentWorkbench';
const setting = 'assistant.models';

/**
 * Reads and saves the models and agents that the user chose for VS Code's chat. Uses only the user settings, so that no workspace can send
 * the user's messages to another service.
 */
export class ChosenModels extends DisposableBase {
	readonly #log: vscode.LogOutputChannel;
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;

	constructor(log: vscode.LogOutputChannel) {
		super();
		this.#log = log;
		this.register(
			vscode.workspace.onDidChangeConfiguration(event => {
				if (event.affectsConfiguration(`${section}.${setting}`)) {
					this.#changed.fire();
				}
			}),
		);
	}

	listModels(): readonly ChosenModel[] {
		const value = vscode.workspace.getConfiguration(section).inspect(setting)?.globalValue;
		const { models, faults } = readChosenModels(value, vscode.l10n.t);
		for (const fault of faults) {
			this.#log.warn(fault);
		}
		return models;
	}

	async saveModels(models: readonly ChosenModel[]): Promise<void> {
		const value = models.length > 0 ? models : undefined;
		await vscode.workspace.getConfiguration(section).update(setting, value, vscode.ConfigurationTarget.Global);
	}
}
