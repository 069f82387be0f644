import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { isWorkflow, messageVariable } from '../../chat/endpoints/agentEndpoint.ts';
import type { ChosenModel } from './chosenModel.ts';

/**
 * Throws a {@link Problem} `settings` where an agent cannot be asked by a message alone: it needs inputs that the setting does not give, or, running once for
 * each message, has no text for the message to go into.
 */
export function agentInputs(agent: AgentSummary | undefined, { model, inputs = {} }: ChosenModel): void {
	if (!agent) {
		return;
	}
	const message = isWorkflow(agent) ? messageVariable(agent, inputs) : undefined;
	const missing = agent.variables.filter(
		each => each.required && each.default === undefined && inputs[each.variable] === undefined && each !== message,
	);
	if (missing.length > 0) {
		throw new Problem(
			'settings',
			vscode.l10n.t(
				'“{0}” needs values for {1}. Give them as “inputs” of its entry in the setting agentWorkbench.assistant.models.',
				model,
				missing.map(({ variable }) => variable).join(', '),
			),
		);
	}
	if (isWorkflow(agent) && !message) {
		throw new Problem('settings', vscode.l10n.t('“{0}” takes no text, so a message has nowhere to go. Run it from a run file.', model));
	}
}
