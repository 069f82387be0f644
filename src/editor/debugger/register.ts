import * as vscode from 'vscode';
import { debuggerCommands } from '#base/commandIds.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import type { AgentsFeature } from '../agents/register.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { FeatureParts } from '../platform/feature.ts';
import { debugType } from '../platform/names.ts';
import type { RunsFeature } from '../runs/register.ts';

interface DebuggerParts extends FeatureParts {
	readonly connections: Connections;
	readonly runs: RunsFeature;
	readonly agents: AgentsFeature;
}

/** Registers the agent debugger, whose implementation loads with the first session. */
export function registerDebugger({ connections, runs, agents, commands, own }: DebuggerParts): void {
	const load = createLazyLoader(async () => {
		const [loaded, ...cores] = await Promise.all([import('./agentDebugging.ts'), runs.load(), agents.load()]);
		return own(new loaded.AgentDebugging(connections, commands, ...cores));
	});
	own(commands.registerAll(debuggerCommands, load));
	own(
		vscode.debug.registerDebugConfigurationProvider(debugType, {
			resolveDebugConfiguration: async (_folder, given) => (await load()).completeConfiguration(given),
			resolveDebugConfigurationWithSubstitutedVariables: async (_folder, given) => (await load()).validateConfiguration(given),
		}),
	);
	own(
		vscode.debug.registerDebugAdapterDescriptorFactory(debugType, {
			createDebugAdapterDescriptor: async session => (await load()).createAdapter(session),
		}),
	);
}
