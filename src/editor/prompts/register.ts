import { promptCommands } from '#base/commandIds.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import type { AgentsFeature } from '../agents/register.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { FeatureParts } from '../platform/feature.ts';
import { promptType } from '../platform/names.ts';
import { registerPanelRestorer } from '../platform/restorePanels.ts';
import type { RunsFeature } from '../runs/register.ts';

interface PromptsParts extends FeatureParts {
	readonly connections: Connections;
	readonly runs: RunsFeature;
	readonly agents: AgentsFeature;
}

/** Registers the prompt playground. Its implementation loads on first use. */
export function registerPrompts({ context, connections, runs, agents, commands, log, own }: PromptsParts): void {
	const load = createLazyLoader(async () => {
		const [{ PromptCore }, core, agentsCore] = await Promise.all([import('./promptCore.ts'), runs.load(), agents.load()]);
		return own(
			new PromptCore({ extensionUri: context.extensionUri, connections, prepare: runs.prepare, runs: core, agents: agentsCore, log }),
		);
	});
	own(commands.registerAll(promptCommands, load));
	own(registerPanelRestorer(promptType, async (panel, state) => (await load()).pages.restorePanel(panel, state)));
}
