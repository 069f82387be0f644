import { handlesOf } from '#agentFile/agentGraph.ts';
import { fieldOf, itemsOf, textOf } from '#base/records/plainValues.ts';
import type { AgentNode } from '../agentFile/agentTypes.ts';
import { isRecord } from '../variables/isRecord.ts';

/** The ways out of a node, as edges name them. */
export function waysOutOf(node: Pick<AgentNode, 'type' | 'settings' | 'failure'>): readonly string[] {
	const { type, settings, failure } = node;
	const failed = failure.strategy === 'fail-branch' ? ['fail-branch'] : [];
	return [...handlesOf({ type, data: type === 'if-else' ? { cases: settings } : isRecord(settings) ? settings : {} }), ...failed];
}

/** The output that says which way a branching node of this type goes, for messages; undefined: it goes all its ways. */
export function outputOfWay(type: string): string | undefined {
	return outputs[type];
}

const outputs: Readonly<Record<string, string>> = {
	'if-else': 'selected_case_id',
	'question-classifier': 'class_id',
	'human-input': '__action_id',
};

/** The way out that the outputs of a branching node say it went; undefined where they do not. */
export function wayOutOf(
	node: Pick<AgentNode, 'type' | 'settings' | 'failure'>,
	values: Readonly<Record<string, unknown>>,
): string | undefined {
	const ways = waysOutOf(node);
	const named = values[outputs[node.type] ?? ''];
	if (named !== undefined && named !== null) {
		return node.type === 'human-input' && named === '' ? '__timeout' : ways.find(way => way === String(named));
	}
	if (node.type === 'if-else' && typeof values['result'] === 'boolean') {
		return values['result'] ? ways[0] : 'false';
	}
	if (node.type === 'question-classifier') {
		const chosen = itemsOf(node.settings, 'classes').find(each => fieldOf(each, 'name') === values['class_name']);
		return chosen === undefined ? undefined : textOf(chosen, 'id');
	}
	return undefined;
}
