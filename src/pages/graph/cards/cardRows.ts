import { type GraphNode, handlesOf } from '#agentFile/agentGraph.ts';
import { referencePattern } from '#agentFile/references.ts';
import { fieldOf, fieldsOf, itemsOf, textOf } from '#base/records/plainValues.ts';
import { beginningOf } from '#base/text/cutText.ts';
import type { CardRow } from '../picture/graphTypes.ts';
import { conditionsText } from './conditionText.ts';

/** More of a value is not written on a card, in UTF-16 units. */
const longestText = 80;
/** More facts are counted; ways out are all there. */
const mostFacts = 6;

/** Titles of a file's nodes, by their IDs. */
export type Titles = Pick<ReadonlyMap<string, string>, 'get'>;

/** The lines of a node's card: what matters of its type, then its ways out where it has several. `titles` of the file's nodes, by their IDs: references are told by them. */
export function cardRows(node: GraphNode, titles: Titles): readonly CardRow[] {
	const of = Object.hasOwn(factsOf, node.type) ? factsOf[node.type] : undefined;
	const facts = of?.(node.data ?? {}, value => (Array.isArray(value) && value.length > 0 ? told(value.map(String), titles) : '')) ?? [];
	const shown = facts.length > mostFacts ? [...facts.slice(0, mostFacts - 1), { text: `+${facts.length - mostFacts + 1}` }] : facts;
	return [...shown, ...exits(node)].map(row => ({ ...row, text: short(titled(row.text, titles)) }));
}

function exits(node: GraphNode): CardRow[] {
	const handles = [...new Set(handlesOf(node))].filter(handle => handle !== '');
	return handles.flatMap((handle): CardRow[] => {
		if (handle === 'source') {
			return [];
		}
		if (handle === 'fail-branch' || handle === '__timeout') {
			return [{ text: '', handle }];
		}
		return [{ ...exitWords(node, handle), handle }];
	});
}

function exitWords({ type, data }: GraphNode, handle: string): CardRow {
	switch (type) {
		case 'if-else': {
			const cases = itemsOf(data, 'cases');
			const at = cases.findIndex(each => textOf(each, 'case_id') === handle);
			if (handle === 'false' && at < 0) {
				return { head: 'ELSE', text: '' };
			}
			return { head: at > 0 ? `ELIF ${at}` : 'IF', text: conditionsText(at < 0 ? data : cases[at]) };
		}
		case 'question-classifier':
			return { text: textOf(named(data, 'classes', handle), 'name') || handle };
		case 'human-input':
			return { text: textOf(named(data, 'user_actions', handle), 'title') || handle };
		default:
			return { text: handle };
	}
}

function named(data: unknown, list: string, id: string): unknown {
	return itemsOf(data, list).find(each => textOf(each, 'id') === id);
}

type Data = Readonly<Record<string, unknown>>;

const fact = (text: string, head?: string): CardRow[] => (text.trim() === '' ? [] : [{ text, ...(head === undefined ? {} : { head }) }]);
const model = (data: Data) => fact(textOf(fieldOf(data, 'model'), 'name'));
const names = (data: Data, list: string, name: string): CardRow[] => itemsOf(data, list).flatMap(each => fact(textOf(each, name)));
const inputs = (data: Data): CardRow[] =>
	itemsOf(data, 'variables').flatMap(each =>
		fact(textOf(each, 'type') || textOf(each, 'value_type'), textOf(each, 'variable') || textOf(each, 'name')),
	);

/** What matters of each type. */
const factsOf: Readonly<Record<string, (data: Data, from: (selector: unknown) => string) => readonly CardRow[]>> = {
	start: inputs,
	'trigger-webhook': data => fact(textOf(data, 'content_type'), textOf(data, 'method').toUpperCase()),
	'trigger-schedule': data => fact(textOf(data, 'cron_expression') || textOf(data, 'frequency')),
	'trigger-plugin': data => fact(textOf(data, 'event_name')),
	llm: model,
	'question-classifier': model,
	'parameter-extractor': data => [...model(data), ...names(data, 'parameters', 'name')],
	agent: data => fact(textOf(data, 'agent_strategy_label') || textOf(data, 'agent_strategy_name')),
	tool: data => fact(textOf(data, 'tool_label') || textOf(data, 'tool_name')),
	code: data => fact(Object.keys(fieldsOf(fieldOf(data, 'outputs'))).join(', '), textOf(data, 'code_language')),
	'http-request': data => fact(textOf(data, 'url') || '…', (textOf(data, 'method') || 'get').toUpperCase()),
	'template-transform': data => fact(firstLine(textOf(data, 'template'))),
	answer: data => fact(firstLine(textOf(data, 'answer'))),
	end: data => names(data, 'outputs', 'variable'),
	'variable-aggregator': (data, from) => itemsOf(data, 'variables').flatMap(each => fact(from(each))),
	assigner: (data, from) =>
		itemsOf(data, 'items').flatMap(each => fact(from(fieldOf(each, 'variable_selector')), textOf(each, 'operation'))),
	iteration: (data, from) => fact(from(fieldOf(data, 'iterator_selector'))),
	loop: data => fact(textOf(data, 'loop_count'), '≤'),
	'list-operator': (data, from) => fact(from(fieldOf(data, 'variable'))),
	'document-extractor': (data, from) => fact(from(fieldOf(data, 'variable_selector'))),
	'knowledge-retrieval': data => itemsOf(data, 'dataset_ids').flatMap(each => fact(typeof each === 'string' ? each : '')),
	'human-input': data => fact(firstLine(textOf(data, 'form_content'))),
};

function firstLine(text: string): string {
	return text.slice(0, 1000).trimStart().split('\n', 1)[0] ?? '';
}

/** A text with references as people know them. */
function titled(text: string, titles: Titles): string {
	const apart = text.slice(0, 4 * longestText).replaceAll('#}}{{#', '#}} {{#');
	return apart.replace(referencePattern, (_, inner: string) => told(inner.split('.'), titles));
}

/** Where a value comes from: the title of the node, and the variable. */
function told([first = '', ...rest]: readonly string[], titles: Titles): string {
	return [titles.get(first) ?? first, ...rest].join(' › ');
}

function short(text: string): string {
	const line = text.slice(0, 4 * longestText).replace(/\s+/g, ' ');
	return line.length > longestText ? `${beginningOf(line, longestText - 1).trimEnd()}…` : line;
}
