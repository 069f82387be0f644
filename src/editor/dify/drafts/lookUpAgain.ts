import type { LogOutputChannel } from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { Runs } from '#runs/runTypes.ts';
import { runInBackground } from '../../platform/background.ts';
import type { DifyDeployments } from '../difyTypes.ts';

/** Looks up lost runs of drafts again when the user signs in, because they may have been lost when the sign-in expired. */
export class LookUpAgain extends DisposableBase {
	readonly #signedIn = new Set<string>();

	constructor(deployments: DifyDeployments, runs: Runs, resume: (connectionId: string) => Promise<void>, log: LogOutputChannel) {
		super();
		this.register(
			deployments.onDidChange(id => {
				if (deployments.getState(id).kind !== 'signed-in') {
					this.#signedIn.delete(id);
				} else if (!this.#signedIn.has(id)) {
					this.#signedIn.add(id);
					if (runs.list({ connectionId: id }).some(({ deploymentDraft, status }) => deploymentDraft && status === 'lost')) {
						runInBackground(resume(id), log, 'Runs of drafts');
					}
				}
			}),
		);
	}
}
