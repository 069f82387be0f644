import type { Node } from 'jsonc-parser';
import { propertyOf } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';

/** What a run file says its run begins with; `undefined` where it leaves that open. */
export function triggerIn(root: Node | undefined): string | undefined {
	const value: unknown = propertyOf(root, 'trigger')?.value;
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An agent as a run takes it that begins with this node: with the variables of that one. */
export function begunWith(agent: AgentSummary, trigger: string | undefined): AgentSummary {
	const variables = agent.triggers?.find(({ id }) => id === trigger)?.variables;
	return variables ? { ...agent, variables } : agent;
}
