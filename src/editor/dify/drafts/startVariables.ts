import { l10n } from 'vscode';
import { agentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { itemsOf, textOf } from '#base/records/plainValues.ts';
import type { AgentVariable } from '#contract/agents.ts';
import { parameterVariables } from '#runs/forms/inputFields.ts';
import { questionInput } from '../../runs/following/runServices.ts';

/** What a run of a draft is given, as the app's file says it: the variables of its start node, and the question to a chatflow. */
export function startVariablesOf(text: string, mode: string): AgentVariable[] {
	const start = agentGraph(new AgentText(text).content).nodes.find(({ type }) => type === 'start');
	const declared = itemsOf(start?.data, 'variables').filter(each => typeof each === 'object' && each !== null);
	const form = declared.map(each => ({
		[textOf(each, 'type') || 'text-input']: each as Readonly<Record<string, unknown>> & { variable: string },
	}));
	const variables = parameterVariables({ user_input_form: form })?.variables ?? [];
	const question = { variable: questionInput, label: l10n.t('Question'), type: 'paragraph', required: true };
	return mode === 'advanced-chat' ? [question, ...variables] : [...variables];
}
