import type { Translate } from '#base/text/localization.ts';
import { findProperty, formatJsonPath, getNameRange, getValueRange, type TextFault } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { findAgent } from './agentCheck.ts';
import { getTrigger, selectTrigger } from './agentTrigger.ts';
import type { ParsedRunFile } from './runFileParse.ts';

/**
 * Warns of omitted optional inputs that a node of the agent can't run without.
 * @param needed returns the title of such a node by input name; called only if an input is omitted
 */
export function checkOptionalInputs(
	{ root, agent: name, inputs }: ParsedRunFile,
	agents: readonly AgentSummary[],
	needed: () => ReadonlyMap<string, string>,
	t: Translate,
): TextFault[] {
	const agent = name === undefined ? undefined : findAgent(agents, name);
	if (!inputs || !agent) {
		return [];
	}
	const leftOut = selectTrigger(agent, getTrigger(root)).variables.filter(({ variable, required, default: usual }) => {
		const given = findProperty(inputs, variable);
		return !required && (usual ?? '') === '' && (given === undefined || given.type === 'null');
	});
	if (leftOut.length === 0) {
		return [];
	}
	const users = needed();
	return leftOut.flatMap(({ variable }): TextFault[] => {
		const user = users.get(variable);
		if (user === undefined) {
			return [];
		}
		const path = ['inputs', variable];
		const given = findProperty(inputs, variable);
		const message = t("'{0}' is optional, but node '{1}' uses it and fails without it.", formatJsonPath(path), user);
		return [{ code: 'left-out-input', severity: 'warning', path, ...(given ? getValueRange(given) : getNameRange(inputs)), message }];
	});
}
