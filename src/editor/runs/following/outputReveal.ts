import * as vscode from 'vscode';

/**
 * When the output channel comes up with a run, by the setting `agentWorkbench.runs.reveal`. A panel that was closed stays closed: unless every run is to
 * bring it up, only the first of a window does, from which one learns that it is there.
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
