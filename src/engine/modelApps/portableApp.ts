import * as z from 'zod';
import type { AgentDocument } from '../agentFile/agentDocument.ts';
import type { Graph } from '../agentFile/agentTypes.ts';
import { parseAgentPackage } from '../nodes/agent/agentPackage.ts';
import { createAgentWork, sumUsage } from '../nodes/agent/agentWork.ts';
import { createPortableOrder } from '../nodes/agent/portableAgent.ts';
import { defineNodeType } from '../nodes/nodeType.ts';
import { createThoughtReporter } from './agentThought.ts';
import { buildAppGraph } from './appGraph.ts';
import { fitHistory, getRemainingTokens, toHistoryMessages } from './history.ts';

/** The only step of a portable agent (app of mode `agent`): runs the agent that the file contains. */
const portableApp = defineNodeType({
	type: 'agent',
	schema: z.custom<{ readonly reference: string }>(),
	async run(context) {
		const { settings, record, run, services } = context;
		const query = run.chat?.query ?? '';
		record.inputs = { query };
		const order = await createPortableOrder(context, settings.reference, query, []);
		const { model, instruction } = order;
		const sent = [
			{ role: 'system', content: instruction },
			{ role: 'user', content: query },
		] as const;
		const room = getRemainingTokens(sent, services.models.getContextTokens?.(model.model), model.maxTokens);
		const history = toHistoryMessages(fitHistory(run.chat?.history ?? [], room));
		const { text, replies, logs } = await createAgentWork(context, { ...order, history }, true, { round: createThoughtReporter(context) });
		record.metadata = { ...record.metadata, agent_log: logs };
		return { outputs: { text, usage: sumUsage(replies), files: [] } };
	},
});

/**
 * Loads a portable agent as an app with a graph.
 * @param reference names its package
 * @throws {AgentFileError} if the file contains no such agent
 */
export function loadPortableApp(
	reference: string,
	packages: Readonly<Record<string, unknown>>,
	document: AgentDocument,
): { readonly graph: Graph } {
	const carried = Object.hasOwn(packages, reference) ? parseAgentPackage(packages[reference]) : undefined;
	if (!carried) {
		const known = Object.keys(packages).join(', ');
		return document.throwFault(
			['agent', 'package_ref'],
			`'${reference}' isn't an agent in the file. ${known === '' ? 'The file has no agent_packages.' : `Expected one of ${known}.`}`,
		);
	}
	if (!carried.soul.model?.model) {
		return document.throwFault(['agent_packages', reference, 'soul', 'model'], 'has no model. Expected soul.model.model.');
	}
	return {
		graph: buildAppGraph([], {
			type: portableApp.type,
			title: carried.metadata?.name || reference,
			nodeType: portableApp,
			settings: { reference },
		}),
	};
}
