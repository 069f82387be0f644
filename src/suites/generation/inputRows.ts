import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import { getTextLimit } from '#runs/request/typedValue.ts';
import { createIndexSource } from '../statistics/randomIndex.ts';
import type { GeneratedRow } from './runSample.ts';

const longText = 5_000;
/** Texts that often show mistakes: empty, blank, in other scripts, with look-alikes, quotes, templates and markup. */
const texts = [
	'',
	' ',
	'0',
	'a',
	'null',
	'\n\t',
	'Grüße, Ærøskøbing',
	'東京都 のテスト',
	'مرحبا بالعالم',
	'👩‍👩‍👧‍👦 e\u0301',
	'"\'`\\',
	'{{name}} {{#start.name#}} %s $x',
	'<b>&amp;</b><script>',
	'a'.repeat(48),
];
const numbers = [0, 1, -1, 0.1, -0.0001, 1e21, Number.MAX_SAFE_INTEGER, -1e-7];

type Inputs = Readonly<Record<string, unknown>>;
type Draw = (size: number) => number;

/** Makes rows of inputs from the variables of an agent: bounds, empty and long values, and Unicode. The same seed gives the same rows. */
export function createInputRows(variables: readonly AgentVariable[], count: number, seed: string): readonly GeneratedRow[] {
	const draw = createIndexSource(seed);
	return Array.from({ length: count }, (_, at) => {
		const cells = variables.flatMap(variable => {
			const value = createValue(variable, draw);
			return value === undefined ? [] : [[variable.variable, value] as const];
		});
		return { $name: `generated ${at + 1}`, $generated: 'variables', ...Object.fromEntries(cells) };
	});
}

/** Message of rows for chat agents, which isn't a variable. */
export const queryOfRows = 'Hello';

/** True if an agent gets a message, which rows have in the column `query`. */
export function takesQuery({ mode }: Pick<AgentSummary, 'mode'>): boolean {
	return mode.includes('chat');
}

/** Makes rows of inputs for an agent, with a message if it's a chat agent. */
export function createAgentRows(agent: Pick<AgentSummary, 'mode' | 'variables'>, count: number, seed: string): readonly GeneratedRow[] {
	return createInputRows(agent.variables, count, seed).map(row => ({ ...row, ...(takesQuery(agent) && { query: queryOfRows }) }));
}

/** Returns true if values of these variables can be made; files can't. */
export function canCreateValue({ type, required }: AgentVariable): boolean {
	return !required || !type.startsWith('file');
}

function createValue(variable: AgentVariable, draw: Draw): unknown {
	const { type, required, options = [] } = variable;
	if (!required && draw(5) === 0) {
		return undefined;
	}
	switch (type) {
		case 'number':
			return draw(3) === 0 ? draw(2_000_001) - 1_000_000 : numbers[draw(numbers.length)];
		case 'checkbox':
			return draw(2) === 1;
		case 'select':
			return options[draw(options.length || 1)];
		case 'json_object':
			return draw(2) === 0 ? {} : { [createText(20, draw)]: createText(20, draw) };
		case 'text-input':
		case 'paragraph': {
			const most = getTextLimit(variable);
			const text = [...createText(most ?? longText, draw)].slice(0, most ?? longText).join('');
			return required && text.trim() === '' ? 'a' : text;
		}
		default:
			return undefined;
	}
}

function createText(most: number, draw: Draw): string {
	switch (draw(4)) {
		case 0:
			return 'x'.repeat(most);
		case 1:
			return Array.from({ length: 1 + draw(8) }, () => texts[draw(texts.length)]).join(' ');
		default:
			return texts[draw(texts.length)]!;
	}
}

/**
 * Makes inputs simpler as long as they still fail, at most `most` times: shorter texts, smaller numbers, fewer optional inputs.
 *
 * @param stillFails runs the agent with these inputs
 */
export async function shrinkInputs(
	inputs: Inputs,
	variables: readonly AgentVariable[],
	stillFails: (inputs: Inputs) => Promise<boolean>,
	most = 60,
): Promise<Inputs> {
	let current = inputs;
	let left = most;
	for (let shrank = true; shrank; ) {
		shrank = false;
		for (const candidate of listSimpler(current, variables)) {
			if (left-- <= 0) {
				return current;
			}
			if (await stillFails(candidate)) {
				current = candidate;
				shrank = true;
				break;
			}
		}
	}
	return current;
}

/** Returns simpler inputs, the simplest first. */
function* listSimpler(inputs: Inputs, variables: readonly AgentVariable[]): Generator<Inputs, void> {
	for (const { variable: name, required } of variables) {
		const { [name]: value, ...others } = inputs;
		if (value === undefined) {
			continue;
		}
		if (!required) {
			yield others;
		}
		for (const simpler of listSimplerValues(value)) {
			yield { ...inputs, [name]: simpler };
		}
	}
}

function listSimplerValues(value: unknown): readonly unknown[] {
	if (typeof value === 'number') {
		return [...new Set([0, Math.trunc(value / 2), Math.trunc(value)])].filter(
			each => Math.abs(each) < Math.abs(value) || (each !== value && each === Math.trunc(value)),
		);
	}
	if (typeof value !== 'string' || value.length < 2) {
		return [];
	}
	const letters = [...value];
	const half = Math.ceil(letters.length / 2);
	const parts = [letters.slice(0, half), letters.slice(half), letters.slice(1), letters.slice(0, -1)];
	return ['a', ...parts.map(part => part.join(''))].filter(each => each !== value && each.trim() !== '');
}
