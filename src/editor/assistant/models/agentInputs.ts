import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { findMessageVariable, runsOncePerMessage } from '../../chat/endpoints/agentEndpoint.ts';
import type { ChosenModel } from './chosenModel.ts';

/**
 * Throws a {@link Problem} `settings` if an agent can't be used with a message alone, because it needs inputs that the setting doesn't
 * have, or because it's a workflow without a text input for the message.
 */
export function checkAgentInputs(agent: AgentSummary | undefined, { model, inputs = {} }: ChosenModel): void {
	if (!agent) {
		return;
	}
	const message = runsOncePerMessage(agent) ? findMessageVariable(agent, inputs) : undefined;
	const missing = agent.variables.filter(
		each => each.required && each.default === undefined && inputs[each.variable] === undefined && each !== message,
	);
	if (missing.length > 0) {
		throw new Problem(
			'settings',
			vscode.l10n.t(
				"'{0}' needs values for {1}. Add them to 'inputs' of its entry in the setting 'agentWorkbench.assistant.models'.",
				model,
				missing.map(({ variable }) => variable).join(', '),
			),
		);
	}
	if (runsOncePerMessage(agent) && !message) {
		throw new Problem('settings', vscode.l10n.t("'{0}' has no text input that a message could fill. Use a run file to run it.", model));
	}
}
