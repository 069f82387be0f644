import * as vscode from 'vscode';
import { Targets } from '../chat/targets.ts';
import { DisposableBase } from '../common/disposables.ts';
import type { AssistantParts } from './assistant.ts';
import { ChatModels } from './models/chatModels.ts';
import { chooseModels } from './models/chooseModels.ts';
import { ChosenModels } from './models/chosenModels.ts';

/** All that is needed only once VS Code's own AI asks: a chunk of its own, loaded by `Assistant` on first use. */
export class AssistantCore extends DisposableBase {
	readonly models: ChatModels;
	/** Has the user choose which models and agents VS Code's chat lists. */
	readonly choose: () => Promise<void>;

	/** `changed`: other models are listed now. */
	constructor({ connections, prepare, log }: Omit<AssistantParts, 'commands'>, changed: () => void) {
		super();
		const targets = new Targets(connections, vscode.l10n);
		const chosen = this.own(new ChosenModels(log));
		this.models = new ChatModels({ connections, targets, prepare, chosen });
		this.choose = () => chooseModels(connections, targets, chosen);
		this.own(chosen.onDidChange(changed));
		// names of connections stand beside models
		this.own(connections.onDidChange(changed));
	}
}
