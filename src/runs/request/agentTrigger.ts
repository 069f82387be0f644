import type { Node } from 'jsonc-parser';
import { findProperty } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';

/** Returns the trigger that a run file chooses; `undefined` if none. */
export function getTrigger(root: Node | undefined): string | undefined {
	const value: unknown = findProperty(root, 'trigger')?.value;
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the agent with the variables of this trigger. */
export function selectTrigger(agent: AgentSummary, trigger: string | undefined): AgentSummary {
	const variables = agent.triggers?.find(({ id }) => id === trigger)?.variables;
	return variables ? { ...agent, variables } : agent;
}
