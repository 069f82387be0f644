import type { DifyHandlers } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { DeploymentDrafts } from '../../runs/following/runServices.ts';
import type { DifyFeatureParts } from '../dify.ts';
import type { AppLinks, DifyDeployments } from '../difyTypes.ts';
import { DraftNodeRuns } from './draftNodeRuns.ts';
import { DraftRuns, type DraftRunsParts } from './draftRuns.ts';
import { LookUpAgain } from './lookUpAgain.ts';
import type { meantApp } from './meantApp.ts';

/** What running drafts works with. */
export interface DraftActionParts extends Pick<DifyFeatureParts, 'connections' | 'log'> {
	readonly workflows: Pick<DifyFeatureParts['workflows'], 'draftWork' | 'runs'>;
	readonly deployments: DifyDeployments;
	readonly links: AppLinks;
	readonly drafts: DeploymentDrafts & { chooseRunOf: (argument: Parameters<typeof meantApp>[1]) => Promise<string | undefined> };
}

/** Drafts that run on their deployment, and what ran there. */
export class DraftActions extends DisposableBase {
	readonly handlers: DifyHandlers;

	constructor({ connections, workflows, deployments, links, drafts, log }: DraftActionParts) {
		super();
		const work = () => workflows.draftWork();
		const parts: DraftRunsParts = { connections, deployments, links, drafts, work };
		const runs = new DraftRuns(parts);
		const nodes = new DraftNodeRuns(parts);
		this.handlers = {
			'agentWorkbench.difyApp.runDraft': argument => runs.run(argument),
			'agentWorkbench.difyApp.runNode': argument => nodes.run(argument),
			'agentWorkbench.difyApp.showRuns': async argument => {
				const key = await drafts.chooseRunOf(argument);
				if (key !== undefined) {
					await (await work()).inspect(key);
				}
			},
		};
		this.own(new LookUpAgain(deployments, workflows.runs, async id => (await work()).resume(id), log));
	}
}
