import type { FakeNode, Fields } from '../state.ts';

/** Inputs and outputs of a node, plausible for its type; nothing is really requested or computed. */
export interface PlayedNode {
	readonly inputs: Fields;
	readonly outputs: Fields;
	readonly tokens: number;
}

export function simulateNodeOutputs(node: FakeNode, pool: ReadonlyMap<string, unknown>, inputs: Fields): PlayedNode {
	const { data } = node;
	const text = `${data.title ?? node.id} says so`;
	switch (data.type) {
		case 'start':
			return { inputs, outputs: inputs, tokens: 0 };
		case 'llm':
			return {
				inputs: {},
				outputs: { text, reasoning_content: '', usage: { total_tokens: 7, total_price: '0.0001', currency: 'USD' }, finish_reason: 'stop' },
				tokens: 7,
			};
		case 'answer':
			return { inputs: {}, outputs: { answer: fillReferences(String(data['answer'] ?? ''), pool), files: [] }, tokens: 0 };
		case 'template-transform':
			return { inputs: selectValues(data['variables'], pool), outputs: { output: String(data['template'] ?? text) }, tokens: 0 };
		case 'code': {
			const names = Object.entries((data['outputs'] ?? { result: { type: 'string' } }) as Record<string, { type?: string }>);
			const outputs = Object.fromEntries(
				names.map(([name, { type }]) => [name, type === 'number' ? 1 : type?.startsWith('array') ? [] : type === 'object' ? {} : text]),
			);
			return { inputs: selectValues(data['variables'], pool), outputs, tokens: 0 };
		}
		case 'http-request':
			return { inputs: {}, outputs: { status_code: 200, body: '', headers: {}, files: [] }, tokens: 0 };
		case 'knowledge-retrieval':
			return { inputs: {}, outputs: { result: [] }, tokens: 0 };
		case 'end': {
			const outputs = selectValues(data['outputs'], pool);
			return { inputs: outputs, outputs, tokens: 0 };
		}
		default:
			return { inputs: selectValues(data['variables'], pool), outputs: { text, output: text }, tokens: 0 };
	}
}

/** Fills in a text's references to the run's values. */
export function fillReferences(text: string, pool: ReadonlyMap<string, unknown>): string {
	return text.replace(/\{\{#([^#{}]+)#\}\}/g, (whole, name: string) => {
		const value = pool.get(name);
		return name.startsWith('$output') ? whole : value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
	});
}

/** Returns selected values by the names that a node gives them. */
function selectValues(variables: unknown, pool: ReadonlyMap<string, unknown>): Fields {
	const entries = (Array.isArray(variables) ? variables : []) as { variable?: string; value_selector?: string[] }[];
	return Object.fromEntries(
		entries
			.filter(each => each.variable && Array.isArray(each.value_selector))
			.map(each => [each.variable, pool.get(each.value_selector!.join('.')) ?? null]),
	);
}
