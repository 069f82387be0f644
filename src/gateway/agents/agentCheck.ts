import type { AgentCheck } from '#contract/agents.ts';
import type { AgentFault, LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { triggersOf, variableOf } from './agentSummary.ts';

/** The result of reading an agent's text, for an editor to show. */
export function checkOf(result: LoadedAgent | Error): AgentCheck {
	if (!(result instanceof Error)) {
		const faults = result.warnings.map(({ message, line, path }) => ({ message, line, path, severity: 'warning' as const }));
		return { variables: result.variables.map(variableOf), ...triggersOf(result), mode: result.mode, faults };
	}
	const { line = 0, path = '' } = result as Partial<AgentFault>;
	// the place is told by itself: in the message it stands for logs
	const message = result.message.replace(/^[^:]*:\d+: /, '').replace(path === '' ? '' : `${path}: `, '');
	return { variables: [], mode: '', faults: [{ message, line, path, severity: 'error' }] };
}
