import type { CommandHandlers } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { Runs } from '#runs/runTypes.ts';
import type { DeploymentDrafts } from '../../runs/following/runServices.ts';
import type { AppLinks, DifyDeployments } from '../difyTypes.ts';
import type { DifyFeatureParts } from '../register.ts';
import { DraftNodeRuns } from './draftNodeRuns.ts';
import { DraftRuns, type DraftRunsParts } from './draftRuns.ts';
import type { DraftWork } from './draftWork.ts';
import { LookUpAgain } from './lookUpAgain.ts';
import type { chooseTargetApp } from './targetApp.ts';

interface DraftActionParts extends Pick<DifyFeatureParts, 'connections' | 'log'> {
	readonly runs: Runs;
	readonly work: () => Promise<DraftWork>;
	readonly deployments: DifyDeployments;
	readonly links: AppLinks;
	readonly drafts: DeploymentDrafts & {
		chooseRunOfArgument: (argument: Parameters<typeof chooseTargetApp>[1]) => Promise<string | undefined>;
	};
}

/** Implements the commands for running drafts on their deployments. */
export class DraftActions extends DisposableBase {
	readonly handlers: CommandHandlers;

	constructor({ connections, runs, work, deployments, links, drafts, log }: DraftActionParts) {
		super();
		const parts: DraftRunsParts = { connections, deployments, links, drafts, work };
		const wholeRuns = new DraftRuns(parts);
		const nodes = new DraftNodeRuns(parts);
		this.handlers = {
			'agentWorkbench.difyApp.runDraft': argument => wholeRuns.run(argument),
			'agentWorkbench.difyApp.runNode': argument => nodes.run(argument),
			'agentWorkbench.difyApp.showRuns': async argument => {
				const key = await drafts.chooseRunOfArgument(argument);
				if (key !== undefined) {
					await (await work()).inspect(key);
				}
			},
		};
		this.register(new LookUpAgain(deployments, runs, async id => (await work()).resume(id), log));
	}
}
