import type { HumanInputRequiredData } from '#contract/events.ts';
import type { AgentNode } from '../agentFile/agentTypes.ts';
import type { WaitingNode } from './pausedRun.ts';

/** Returns the event data of a form that a run waits for. */
export function toInputRequiredData(node: AgentNode, { form, formId, token }: WaitingNode): HumanInputRequiredData {
	return {
		form_id: formId,
		node_id: node.id,
		node_title: node.title,
		form_content: form.content,
		inputs: [...form.inputs],
		actions: [...form.actions],
		display_in_ui: form.shown,
		form_token: token,
		resolved_default_values: { ...form.defaults },
		expiration_time: form.expires,
	};
}
