import type { LogOutputChannel } from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { Runs } from '#runs/runTypes.ts';
import { background } from '../../platform/background.ts';
import type { DifyDeployments } from '../difyTypes.ts';

/** Has runs of drafts looked up once somebody signs in again: those that were lost because the sign-in had ended. */
export class LookUpAgain extends DisposableBase {
	readonly #signedIn = new Set<string>();

	constructor(deployments: DifyDeployments, runs: Runs, resume: (connectionId: string) => Promise<void>, log: LogOutputChannel) {
		super();
		this.own(
			deployments.onDidChange(id => {
				if (deployments.state(id).kind !== 'signed-in') {
					this.#signedIn.delete(id);
				} else if (!this.#signedIn.has(id)) {
					this.#signedIn.add(id);
					if (runs.list({ connectionId: id }).some(({ deploymentDraft, status }) => deploymentDraft && status === 'lost')) {
						background(resume(id), log, 'Runs of drafts');
					}
				}
			}),
		);
	}
}
