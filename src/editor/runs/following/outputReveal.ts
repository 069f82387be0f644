import * as vscode from 'vscode';

/**
 * Opens the output channel for runs, depending on the setting `agentWorkbench.runs.reveal`. Unless set to `always`, a run that starts opens
 * it only once per window, so that a panel the user closed stays closed.
 */
export class OutputReveal {
	readonly #show: () => void;
	#isShown = false;

	constructor(show: () => void) {
		this.#show = show;
	}

	started(): void {
		const when = setting();
		if (when === 'always' || (when === 'onFailure' && !this.#isShown)) {
			this.#isShown = true;
			this.#show();
		}
	}

	failed(): void {
		if (setting() !== 'never') {
			this.#show();
		}
	}
}

function setting(): string {
	return vscode.workspace.getConfiguration('agentWorkbench.runs').get('reveal', 'onFailure');
}
