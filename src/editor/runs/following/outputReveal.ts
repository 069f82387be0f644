import * as vscode from 'vscode';

/**
 * Opens the output channel for runs, depending on the setting `agentWorkbench.runs.reveal`. Unless this is `always`, starting a run opens
 * the channel only once per window, so that a panel that the user has closed stays closed.
 */
export class OutputReveal {
	readonly #show: () => void;
	#isShown = false;

	constructor(show: () => void) {
		this.#show = show;
	}

	onRunStart(): void {
		const when = readRevealSetting();
		if (when === 'always' || (when === 'onFailure' && !this.#isShown)) {
			this.#isShown = true;
			this.#show();
		}
	}

	onRunFailure(): void {
		if (readRevealSetting() !== 'never') {
			this.#show();
		}
	}
}

function readRevealSetting(): string {
	return vscode.workspace.getConfiguration('agentWorkbench.runs').get('reveal', 'onFailure');
}
